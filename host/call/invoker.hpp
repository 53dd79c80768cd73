// One tool call from request to result. The steps are functions of invoker.cpp, in their order.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

struct InvokerOptions {
    std::vector<std::string> widened;  // TOOLHOST_ALLOW
    bool bypass_consent = false;       // BYPASS_TOOL_CONSENT=true
};

// Tools that call tools that call tools: this deep and no deeper.
inline constexpr int kMaxDepth = 8;

class Invoker {
public:
    Invoker(const registry::Registry& registry, runtime::Runtime& runtime, InvokerOptions options);

    // From any thread. Always a result, whatever happens.
    [[nodiscard]] ToolResult call(const ToolUse& use, const Watch& watch = {}) {
        return call(use, watch, 0);
    }
    // A call within a call.
    [[nodiscard]] ToolResult call(const ToolUse& use, const Watch& watch, int depth);

    // The catalogue as calls see it now.
    [[nodiscard]] std::shared_ptr<const View> view();

private:
    [[nodiscard]] Result<Json> run_steps(ToolUse& use, const Watch& watch, int depth);

    const registry::Registry& registry_;
    runtime::Runtime& runtime_;
    InvokerOptions options_;
    std::atomic<std::shared_ptr<const View>> view_;
    std::atomic<std::uint64_t> calls_{0};
};

}  // namespace toolhost::call
