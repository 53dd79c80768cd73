// Escapes of ECMA-262's regular expressions: \n, \u{1F432}, \d, \p{Letter} ...
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace toolhost::schema {

// The meaning of an escape: one character, or a class (then `set` is the content of PCRE2's class).
struct Escape {
    char32_t character = 0;
    std::string set;
};

struct PatternError {
    std::size_t offset;   // in bytes
    std::string message;  // "a range out of order"
};

using EscapeResult = boost::system::result<Escape, PatternError>;

// Reads the escape whose backslash is at `at`, and advances `at` behind it. \b is a character in a
// class only; the caller handles \B, \k and \1.
[[nodiscard]] EscapeResult read_escape(std::string_view text, std::size_t& at, bool in_class);

// A character in PCRE2's syntax: \x{1f432}
[[nodiscard]] std::string code_point(char32_t c);

// Surrogates: valid UTF-8 contains none, and PCRE2 refuses them.
inline constexpr char32_t kFirstSurrogate = 0xD800;
inline constexpr char32_t kLastSurrogate = 0xDFFF;
[[nodiscard]] inline bool is_surrogate(char32_t c) {
    return c >= kFirstSurrogate && c <= kLastSurrogate;
}

}  // namespace toolhost::schema
