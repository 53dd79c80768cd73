// The position of a call in the tree of nested calls of one request.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/base/mutex.hpp"
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

// Tells calls of one request apart that ask for the same consent, so that one answer is not taken
// twice. Counted anew in each attempt, in the order in which they ask.
class ConsentCount {
public:
    // "ID" for the first call that asks, then "ID-2" and so on; nothing: there were too many.
    [[nodiscard]] std::optional<std::string> number(const std::string& id) {
        constexpr std::size_t kMax = 4096;
        MutexLock lock(mutex_);
        if (asked_.size() >= kMax && !asked_.contains(id)) return std::nullopt;
        const auto times = ++asked_[id];
        return times == 1 ? id : id + '-' + std::to_string(times);
    }

private:
    Mutex mutex_;
    std::map<std::string, unsigned> asked_ GUARDED_BY(mutex_);
};

struct Lineage {
    // The identities of a tool and of the tools around it, outermost first. None of them has a line
    // break.
    [[nodiscard]] std::string scope_of(const ReadyTool& tool) const {
        std::string scope;
        for (const auto& caller : callers) scope += caller.ready->identity + '\n';
        return scope + tool.identity;
    }

    loading::Chain chain = 0;     // 0: a root call, which gets one
    std::string parent_use_id;    // empty: a root call
    std::vector<Caller> callers;  // of the calls around it, outermost first
    // The call around it, whose time this one's is part of. It keeps the callers.
    std::shared_ptr<const loading::CallHost> around;
    ConsentCount* consents = nullptr;  // the root call's; null: this is one
};

}  // namespace toolhost::call
