// Character classes of ECMA-262's regular expressions: [a-z\d], [^\s], [], [^].
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "host/schema/ecma_escape.hpp"

namespace toolhost::schema {

// The class in PCRE2's syntax.
using ClassResult = boost::system::result<std::string, PatternError>;

// Matches nothing: for a lone surrogate, or a class without members.
inline constexpr std::string_view kPcreNothing = "(?!)";

// Reads the class whose '[' is at `at`, and advances `at` behind its ']'.
[[nodiscard]] ClassResult read_class(std::string_view text, std::size_t& at);

}  // namespace toolhost::schema
