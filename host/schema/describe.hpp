// Short descriptions of values of any size, for error messages to models and for logs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost::schema {

inline constexpr std::size_t kPreviewCharacters = 60;

// The value's JSON text, cut after about `kPreviewCharacters`. Does not visit the rest of the
// value.
[[nodiscard]] std::string preview(const nlohmann::json& value);

// `the string "three"`, `the integer 5`, `null`, `an array of 3 items`, `an object with "a", "b"`
[[nodiscard]] std::string describe(const nlohmann::json& value);

// The value itself if it is short, otherwise its preview as a string.
[[nodiscard]] nlohmann::json short_json(const nlohmann::json& value);

// The text in double quotes, escaped as JSON and cut like a preview.
[[nodiscard]] std::string quote(std::string_view text);

// `"a", "b" and 12 more`
[[nodiscard]] std::string list_names(const std::vector<std::string_view>& names, std::size_t most);

// The number of names that are compared with a misspelled one.
inline constexpr std::size_t kMaxComparedNames = 500;

// Of the first `kMaxComparedNames` names, at most three that `name` may misspell, nearest first.
[[nodiscard]] std::vector<std::string_view> closest_names(
    std::string_view name, const std::vector<std::string_view>& names);

// "1 item", "3 items"
[[nodiscard]] std::string count_of(std::size_t count, std::string_view singular,
                                   std::string_view plural);

}  // namespace toolhost::schema
