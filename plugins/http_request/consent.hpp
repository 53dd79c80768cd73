// Which requests a human is asked about, and what is shown of them.
#pragma once

#include "net/request.hpp"
#include "types.hpp"

namespace http_tool {

// Denies what was not consented to. Before anything is sent: an interrupted call is repeated from
// its start.
void ask_consent(const Request& request, const Policy& policy, toolhost::Context& context);

}  // namespace http_tool
