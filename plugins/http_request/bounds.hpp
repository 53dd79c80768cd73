// Keeps the JSON block below what the host lets through. A larger one is an error, and by then the
// request was made: its answer must not be lost by what a server says of itself.
#pragma once

#include <cstddef>

#include "types.hpp"

namespace http_tool {

// All but the body. `max_chars` is for the whole block.
void cut_to_fit(Output& out, std::size_t max_chars);
// After it, where there is room: the value, or else the text; if neither fits, a note says so.
void set_body(Output& out, const std::string& text, std::optional<nlohmann::json> value,
              std::size_t max_chars);

}  // namespace http_tool
