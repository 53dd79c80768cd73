// The escapes of ECMA-262's regular expressions: \n, \u{1F432}, \d, \p{Letter} ...
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace toolhost::schema {

// What an escape stands for: one character, or a class (then `set` is the inside of PCRE2's).
struct Escape {
    char32_t character = 0;
    std::string set;
};

struct PatternError {
    std::size_t offset;   // in bytes
    std::string message;  // what is wrong there: "a range out of order"
};

using EscapeResult = boost::system::result<Escape, PatternError>;

// Reads the escape at `at` (its backslash), which moves behind it.
// \b is a character in a class only; \B, \k and \1 are not for here.
[[nodiscard]] EscapeResult read_escape(std::string_view text, std::size_t& at, bool in_class);

// As PCRE2 writes a character: \x{1f432}
[[nodiscard]] std::string code_point(char32_t c);

// Halves of UTF-16 pairs: no UTF-8 text contains one, and PCRE2 refuses them.
inline constexpr char32_t kFirstSurrogate = 0xD800;
inline constexpr char32_t kLastSurrogate = 0xDFFF;
[[nodiscard]] inline bool is_surrogate(char32_t c) {
    return c >= kFirstSurrogate && c <= kLastSurrogate;
}

}  // namespace toolhost::schema
