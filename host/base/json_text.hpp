// Parses untrusted JSON text: checks UTF-8, limits size and depth, reports errors with a position.
#pragma once

#include <boost/system/result.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace toolhost {

// Deep enough for real documents, shallow enough that recursive code cannot overflow the stack.
inline constexpr std::size_t kMaxJsonDepth = 256;
// A value takes up to 160 bytes of memory even if its text has two ("[]"), so a limit on the length
// of the text alone is not enough.
inline constexpr std::size_t kMaxJsonValues = 1'000'000;

struct JsonLimits {
    std::size_t bytes = std::string_view::npos;  // set where the source does not limit the text
    std::size_t values = kMaxJsonValues;
};

struct JsonFault {
    enum class Kind { not_utf8, too_deep, too_large, syntax };
    Kind kind = Kind::syntax;
    std::size_t byte = 0;
    std::string message;  // includes line and column
};

// Refuses what is too large before it allocates any value.
[[nodiscard]] boost::system::result<nlohmann::json, JsonFault> parse_json(
    std::string_view text, const JsonLimits& limits = {});

// Whether the text has more than `most` values. Does not scan a text that is too short for that.
[[nodiscard]] bool has_more_values(std::string_view text, std::size_t most);

// The first byte that is not part of valid UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

// Writes any value as JSON text. Invalid UTF-8 is replaced instead of throwing.
[[nodiscard]] std::string dump(const nlohmann::json& value, int indent = -1);
// Appends instead of returning.
void append_json(std::string& out, const nlohmann::json& value);
void append_json_text(std::string& out, std::string_view text);  // as a JSON string
void append_json_number(std::string& out, std::int64_t number);

}  // namespace toolhost
