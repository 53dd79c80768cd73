// JSON Schema's patterns are ECMA-262 regular expressions, read with the `u` flag; the engine is
// PCRE2. This turns one into the other, so that nothing of PCRE2's own language (verbs, recursion,
// \Q, possessive quantifiers, POSIX classes) is ever reachable from a schema.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "host/schema/ecma_escape.hpp"

namespace toolhost::schema {

using TranslatedPattern = boost::system::result<std::string, PatternError>;

// Identity escapes of punctuation (\@, \-, \") are taken as their character although the `u` flag
// forbids them: patterns written for other languages use them, and they have no other reading. So
// are a lone ']', '}' and '{'.
[[nodiscard]] TranslatedPattern translate_pattern(std::string_view ecma);

}  // namespace toolhost::schema
