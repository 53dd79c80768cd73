// Where in a text something is wrong, shown to people.
#pragma once

#include <string>
#include <string_view>

#include "json/document.hpp"

namespace data_tools::json {

// Line, column and excerpt of a byte.
SyntaxError error_at(std::string_view text, std::size_t byte, std::string what);

// What the mistake probably is, if it is a common one; or "".
std::string hint_at(std::string_view text, std::size_t byte);

// The text around a byte with a caret below, on two lines. Control characters become spaces.
std::string excerpt_at(std::string_view text, std::size_t byte);

}  // namespace data_tools::json
