// Translates ECMA-262 regular expressions with the `u` flag, the patterns of JSON Schema, to PCRE2.
// Nothing specific to PCRE2 (verbs, recursion, \Q, possessive quantifiers, POSIX classes) can be
// reached from a schema.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "host/schema/ecma_escape.hpp"

namespace toolhost::schema {

using TranslatedPattern = boost::system::result<std::string, PatternError>;

// Identity escapes of punctuation (\@, \-, \") are accepted although the `u` flag forbids them:
// patterns written for other languages contain them, and their meaning is clear. The same holds for
// a single ']', '}' or '{'.
[[nodiscard]] TranslatedPattern translate_pattern(std::string_view ecma);

}  // namespace toolhost::schema
