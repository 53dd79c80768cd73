// Numbers in JSON, which may exceed every number type here.
#pragma once

#include <string_view>

namespace http_tool {

// Whether valid JSON contains an integer that does not fit 64 bits, and is rounded by the parser.
[[nodiscard]] bool has_long_integer(std::string_view json);

}  // namespace http_tool
