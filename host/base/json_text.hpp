// JSON text from strangers to a value: UTF-8 checked, size and depth bounded, errors with a place.
#pragma once

#include <boost/system/result.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace toolhost {

// Deep enough for any real document, shallow enough that recursive code over it cannot overflow.
inline constexpr std::size_t kMaxJsonDepth = 256;
// A value takes up to 160 bytes in memory, be its text two bytes long ("[]"), so that the length of
// a text alone does not bound what is made of it.
inline constexpr std::size_t kMaxJsonValues = 1'000'000;

struct JsonLimits {
    std::size_t bytes = std::string_view::npos;  // where the text is not bounded by how it came
    std::size_t values = kMaxJsonValues;
};

struct JsonFault {
    enum class Kind { not_utf8, too_deep, too_large, syntax };
    Kind kind = Kind::syntax;
    std::size_t byte = 0;
    std::string message;  // with line and column
};

// What is too large is refused before anything is made of it.
[[nodiscard]] boost::system::result<nlohmann::json, JsonFault> parse_json(
    std::string_view text, const JsonLimits& limits = {});

// Whether the text has more than `most` values. Looks at no text that is too short for that.
[[nodiscard]] bool has_more_values(std::string_view text, std::size_t most);

// The first byte that is not part of valid UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

// JSON text of any value, bytes that are not UTF-8 replaced rather than thrown about.
[[nodiscard]] std::string dump(const nlohmann::json& value, int indent = -1);
// The same behind what is there already.
void append_json(std::string& out, const nlohmann::json& value);
void append_json_text(std::string& out, std::string_view text);  // of a string
void append_json_number(std::string& out, std::int64_t number);

}  // namespace toolhost
