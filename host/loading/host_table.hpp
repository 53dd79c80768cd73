// The C function table that a plugin calls, implemented by a CallHost.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/loading/invocation.hpp"

// The opaque type of the ABI: the state of one invocation while it runs.
struct tool_call {
    toolhost::loading::CallHost* host = nullptr;
    toolhost::loading::Outcome outcome;
    // Keeps texts given to the plugin by call_tool, interrupt and extensions until the call
    // returns.
    std::vector<std::unique_ptr<std::string>> lent;
};

namespace toolhost::loading {

// Also passed to tool_open(), with a null call: every function then returns TOOL_UNSUPPORTED.
[[nodiscard]] const tool_host& host_table();

[[nodiscard]] tool_str as_tool_str(std::string_view text);

}  // namespace toolhost::loading
