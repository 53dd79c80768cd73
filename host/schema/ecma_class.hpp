// The character classes of ECMA-262's regular expressions: [a-z\d], [^\s], [], [^].
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "host/schema/ecma_escape.hpp"

namespace toolhost::schema {

// The same class as PCRE2 writes it.
using ClassResult = boost::system::result<std::string, PatternError>;

// What can match nothing: half a UTF-16 pair, a class without members.
inline constexpr std::string_view kPcreNothing = "(?!)";

// Reads the class at `at` (its '['), which moves behind its ']'.
[[nodiscard]] ClassResult read_class(std::string_view text, std::size_t& at);

}  // namespace toolhost::schema
