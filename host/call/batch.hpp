// Many calls at once, their results in the order of the requests.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "host/call/invoker.hpp"

namespace toolhost::call {

// {"tool": REF, "input"?, "toolUseId"?, "state"?, "answers"?} of one line; "name" for "tool" too.
// An error names the line by its number.
[[nodiscard]] Result<ToolUse> parse_request(std::string_view line, std::size_t number);

struct BatchOptions {
    unsigned jobs = 1;  // how many calls at once
    loading::Stop stop{};
};

// Calls `result` once for each request, in their order, as soon as all before it are there; from
// any thread, never two at once, all of them before it returns. A request that is an error has it
// as its result.
void call_batch(Invoker& invoker, std::vector<Result<ToolUse>> requests,
                const std::shared_ptr<CallObserver>& observer, const BatchOptions& options,
                const std::function<void(const ToolResult&)>& result);

}  // namespace toolhost::call
