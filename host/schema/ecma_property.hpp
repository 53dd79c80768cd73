// Translates names of Unicode properties from ECMA-262 (\p{Letter}) to PCRE2 (\p{L}).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolhost::schema {

// Returns the name to use in PCRE2's braces. Names that both share are passed on; PCRE2 refuses
// those that it does not know when it compiles the pattern.
[[nodiscard]] std::optional<std::string> pcre_property(std::string_view ecma);

}  // namespace toolhost::schema
