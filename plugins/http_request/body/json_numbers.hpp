// Numbers as JSON writes them, which may be more than any number here can hold.
#pragma once

#include <string_view>

namespace http_tool {

// Whether valid JSON has an integer with more digits than 64 bits can hold: reading rounds it.
[[nodiscard]] bool has_long_integer(std::string_view json);

}  // namespace http_tool
