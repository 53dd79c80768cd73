// Asks a human for consent to writing requests.
#pragma once

#include "net/request.hpp"
#include "types.hpp"

namespace http_tool {

// Denies the call without consent. Called before anything is sent, because an interrupted call is
// repeated from its start.
void ask_consent(const Request& request, const Policy& policy, toolhost::Context& context);

}  // namespace http_tool
