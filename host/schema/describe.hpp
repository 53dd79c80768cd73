// Values in words, short whatever their size: for error texts, which a model reads and a log keeps.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost::schema {

inline constexpr std::size_t kPreviewCharacters = 60;

// The value's JSON text, cut after about `kPreviewCharacters`; never walks the rest of it.
[[nodiscard]] std::string preview(const nlohmann::json& value);

// `the string "three"`, `the integer 5`, `null`, `an array of 3 items`, `an object with "a", "b"`
[[nodiscard]] std::string describe(const nlohmann::json& value);

// The value itself where it is short, else its preview as a string.
[[nodiscard]] nlohmann::json short_json(const nlohmann::json& value);

// The text in double quotes, escaped as JSON, cut like a preview.
[[nodiscard]] std::string quote(std::string_view text);

// `"a", "b" and 12 more`
[[nodiscard]] std::string list_names(const std::vector<std::string_view>& names, std::size_t most);

// How many names are looked through for one that may have been meant.
inline constexpr std::size_t kMostComparedNames = 500;

// Of the first `kMostComparedNames`, those a typing slip away from `name`, nearest first, at most
// three.
[[nodiscard]] std::vector<std::string_view> closest_names(
    std::string_view name, const std::vector<std::string_view>& names);

// "1 item", "3 items"
[[nodiscard]] std::string count_of(std::size_t count, std::string_view singular,
                                   std::string_view plural);

}  // namespace toolhost::schema
