// Runs a request including retries and redirects, each of which is checked like the first.
#pragma once

#include "net/request.hpp"

namespace http_tool {

[[nodiscard]] Result fetch(Request request, const Rules& rules, const FetchObserver& observer);

}  // namespace http_tool
