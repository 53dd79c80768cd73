// Which tools a tool may call through the host: those that its spec declares (needs.tools) and that
// are granted to it (tools, tools=NAME). Otherwise a tool could reach through another what it was
// not granted itself.
#pragma once

#include <string>
#include <vector>

#include "host/call/lineage.hpp"
#include "host/call/view.hpp"

namespace toolhost::call {

// One entry of a spec's needs.tools.
struct DeclaredTool {
    std::string reference;                 // as declared
    const registry::Tool* tool = nullptr;  // null: no tool here, or several, answer to it
    bool granted = false;
    std::string grant{};  // the command that grants it
};
[[nodiscard]] std::vector<DeclaredTool> declared_tools(const View& view,
                                                       const registry::Tool& caller);

// Of a call within a call: policy_denied, reason grant_missing, unless the calling tool may.
[[nodiscard]] Result<void> check_caller(const View& view, const registry::Tool& called,
                                        const ReadyTool& ready_called, const Lineage& lineage);

}  // namespace toolhost::call
