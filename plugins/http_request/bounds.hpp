// Keeps the JSON block below the host's limit. A larger one is an error, and the request was
// already sent, so its response must not be lost because of the server's metadata.
#pragma once

#include <cstddef>

#include "types.hpp"

namespace http_tool {

// Everything except the body. `max_chars` is for the whole block.
void cut_to_fit(Output& out, std::size_t max_chars);
// Called afterwards: adds the value, or else the text, if there is room; otherwise a note.
void set_body(Output& out, const std::string& text, std::optional<nlohmann::json> value,
              std::size_t max_chars);

}  // namespace http_tool
