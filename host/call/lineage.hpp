// Where a call stands in the tree of calls that one request became.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/call/view.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

// Tools that call tools that call tools: this deep and no deeper.
inline constexpr std::size_t kMaxDepth = 8;

// A tool whose call is not over yet. Both belong to the view of that call.
struct Caller {
    const registry::Tool* tool;
    const ReadyTool* ready;
};

struct Lineage {
    runtime::Chain chain = 0;     // 0: a root call, which gets one
    std::string parent_use_id;    // empty: a root call
    std::vector<Caller> callers;  // of the calls around it, outermost first
    // The call around it, whose time this one's is part of. It keeps the callers.
    std::shared_ptr<const runtime::CallHost> around;
};

}  // namespace toolhost::call
