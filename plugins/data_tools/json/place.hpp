// Shows people the position of an error in a text.
#pragma once

#include <string>
#include <string_view>

#include "json/document.hpp"

namespace data_tools::json {

// Line, column and excerpt of a byte.
SyntaxError error_at(std::string_view text, std::size_t byte, std::string what);

// The probable mistake, if it is a common one; or "".
std::string hint_at(std::string_view text, std::size_t byte);

// The text around a byte with a caret below, in two lines. Control characters become spaces.
std::string excerpt_at(std::string_view text, std::size_t byte);

}  // namespace data_tools::json
