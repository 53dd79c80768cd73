// A request that runs plugin code: a tool's call, a resource's reading, a prompt. All go through
// the invoker, and what the plugin says or asks meanwhile reaches the client.
#pragma once

#include <functional>

#include "host/call/tool_use.hpp"
#include "host/serve/request.hpp"

namespace toolhost::serve {

struct GovernedCall {
    std::string reference;
    Json input;
    // The result, errors included, but for those that a question to the client took care of.
    std::function<void(Request& request, const call::ToolResult& result)> done;
    std::string offered_by{};  // as in call::ToolUse
    Json state{};              // set by run_governed(), from the request's _meta
};

void run_governed(const RequestPtr& request, GovernedCall call);

}  // namespace toolhost::serve
