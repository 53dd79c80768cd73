// A request from its first exchange to its last: retries and redirects, each checked as if it were
// the first.
#pragma once

#include "net/request.hpp"

namespace http_tool {

[[nodiscard]] Result fetch(Request request, const Rules& rules, const FetchObserver& observer);

}  // namespace http_tool
