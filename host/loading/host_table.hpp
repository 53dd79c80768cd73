// The C table of functions that a plugin calls, over a CallHost.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/loading/invocation.hpp"

// The opaque type of the ABI: everything one invocation needs while it runs.
struct tool_call {
    toolhost::loading::CallHost* host = nullptr;
    toolhost::loading::Outcome outcome;
    // What the plugin was given through call_tool, interrupt and extensions lives until the call
    // returns.
    std::vector<std::unique_ptr<std::string>> lent;
};

namespace toolhost::loading {

// tool_open() is given it too, but no call: without one, every function says TOOL_UNSUPPORTED.
[[nodiscard]] const tool_host& host_table();

[[nodiscard]] tool_str as_tool_str(std::string_view text);

}  // namespace toolhost::loading
