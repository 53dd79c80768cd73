// One tool call from request to result: nine steps, implemented in invoker_steps.cpp.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "host/base/atomic_shared.hpp"
#include "host/call/call_observer.hpp"
#include "host/call/events.hpp"
#include "host/call/lineage.hpp"
#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/os/runners.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

struct InvokerOptions {
    Rules rules;                  // no profile: the shipped default
    bool bypass_consent = false;  // BYPASS_TOOL_CONSENT=true
    Events events;
};

class Invoker {
public:
    Invoker(const registry::Registry& registry, runtime::Runtime& runtime, InvokerOptions options);

    // From any thread. Always a result, whatever happens. `observer` may be null; `lineage` is for
    // calls within calls.
    [[nodiscard]] ToolResult call(ToolUse use, std::shared_ptr<CallObserver> observer = nullptr,
                                  loading::Stop stop = {}, Lineage lineage = {});
    // The same with the result to observer->finished(). On this thread, which a tool that does not
    // return in time keeps (Runtime::can_keep_threads): for threads that can be spared. A call in a
    // worker may be posted (runtime::PostedCalls) and end on another thread.
    void start(ToolUse&& use, std::shared_ptr<CallObserver> observer, loading::Stop stop = {});

    // Calls that start from now on are under this one.
    void use(Rules rules) { rules_.store(std::make_shared<const Rules>(std::move(rules))); }
    [[nodiscard]] std::shared_ptr<const Rules> rules() const { return rules_.load(); }
    // The catalogue and the profile as calls see them now.
    [[nodiscard]] std::shared_ptr<const View> view();
    // Per tool: calls, errors, denials, latencies.
    [[nodiscard]] Json stats() const { return tool_states_->stats(); }
    [[nodiscard]] const ToolStates& tool_states() const { return *tool_states_; }
    [[nodiscard]] std::string profile_name() const { return rules_.load()->profile->name(); }

private:
    struct Call;
    struct AwaitedCall;
    using CallPtr = std::shared_ptr<Call>;
    void identify(Call& call);
    void start_thread_for(std::shared_ptr<AwaitedCall> call);
    // Steps 1 to 6. False: one of them refused the call, which has ended.
    [[nodiscard]] bool is_prepared(Call& call);
    [[nodiscard]] Result<void> prepare(Call& call);
    void tell_before(Call& call, bool judged);
    [[nodiscard]] Result<void> check_lineage(const Call& call) const;
    [[nodiscard]] Result<void> check_before_run(Call& call);
    [[nodiscard]] Result<void> take_place(Call& call, const os::Deadline& deadline);
    enum class Wait { until_ended, if_not_posted };
    void run(const CallPtr& call, Wait wait);
    [[nodiscard]] Error with_hints(const Call& call, Error error) const;
    [[nodiscard]] Result<ToolResult> conclude(Call& call, const Result<loading::Outcome>& outcome);
    void finish(Call& call, Result<ToolResult> result);
    [[nodiscard]] std::string next_use_id();

    const registry::Registry& registry_;
    runtime::Runtime& runtime_;
    const bool bypass_consent_;
    const Events events_;
    const std::shared_ptr<ToolStates> tool_states_ = std::make_shared<ToolStates>();
    AtomicShared<const Rules> rules_;
    AtomicShared<const View> view_;
    const std::string id_prefix_;
    std::atomic<std::uint64_t> calls_{0}, chains_{0};
    os::Runners runners_;
};

}  // namespace toolhost::call
