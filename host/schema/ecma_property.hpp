// The names of Unicode properties in ECMA-262 (\p{Letter}) and in PCRE2 (\p{L}).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolhost::schema {

// What to write between PCRE2's braces. Names that both have are passed on; PCRE2 refuses those it
// does not know when it compiles the pattern.
[[nodiscard]] std::optional<std::string> pcre_property(std::string_view ecma);

}  // namespace toolhost::schema
