#include "host/call/invoker.hpp"

#include <random>
#include <system_error>

#include "host/call/invoker_call.hpp"

namespace toolhost::call {
namespace {

// Ids of two processes that write to the same event log must not meet.
std::string random_prefix() {
    constexpr char kDigits[] = "0123456789abcdef";
    std::random_device random;
    std::string prefix = "tooluse-";
    for (int i = 0; i < 8; ++i) prefix += kDigits[random() % 16];
    return prefix + '-';
}

}  // namespace

Invoker::Invoker(const registry::Registry& registry, runtime::Runtime& runtime,
                 InvokerOptions options)
    : registry_(registry),
      runtime_(runtime),
      bypass_consent_(options.bypass_consent),
      events_(std::move(options.events)),
      id_prefix_(random_prefix()) {
    if (!options.rules.profile) options.rules.profile = policy::built_in_profile();
    use(std::move(options.rules));
}

std::shared_ptr<const View> Invoker::view() {
    auto catalogue = registry_.snapshot();
    auto rules = rules_.load();
    auto view = view_.load();
    if (view && view->snapshot() == catalogue && view->rules() == rules) return view;
    // Two threads may both make it; either will do.
    view = std::make_shared<const View>(std::move(catalogue), std::move(rules), tool_states_);
    view_.store(view);
    return view;
}

std::string Invoker::next_use_id() {
    return id_prefix_ + std::to_string(++calls_);
}

void Invoker::identify(Call& call) {
    if (call.use.use_id.empty()) call.use.use_id = next_use_id();
    if (call.lineage.chain == 0) call.lineage.chain = ++chains_;
}

void Invoker::start(ToolUse use, std::shared_ptr<CallObserver> observer, loading::Stop stop) {
    const auto call = std::make_shared<Call>(*this, std::move(use), std::move(observer),
                                             std::move(stop), Lineage());
    identify(*call);
    if (is_prepared(*call)) run(call);
}

void Invoker::start_thread_for(const CallPtr& call) {
    try {
        runners_.run([this, call] { run(call); });
    } catch (const std::system_error& e) {
        finish(*call, Error{ErrorCode::resource_exhausted,
                            std::string("cannot start a thread for the call: ") + e.what(),
                            {{"resource", "threads"}}});
    }
}

// A call whose caller waits for the result. Shared with the thread that sets it, which may still be
// in here when the caller has gone on.
struct Invoker::AwaitedCall final : Call {
    using Call::Call;

    void deliver(ToolResult made) override {
        result_ = std::move(made);
        if (state_.exchange(kThere, std::memory_order_acq_rel) == kAsleep)
            os::futex_wake(state_, 1);
    }
    [[nodiscard]] ToolResult await() {
        if (!os::spin_while(state_, kRunning)) {
            auto expected = kRunning;
            state_.compare_exchange_strong(expected, kAsleep, std::memory_order_acq_rel);
        }
        while (state_.load(std::memory_order_acquire) != kThere)
            os::futex_wait(state_, kAsleep, std::nullopt);
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t kRunning = 0, kAsleep = 1, kThere = 2;
    ToolResult result_;
    os::FutexWord state_{kRunning};
};

ToolResult Invoker::call(ToolUse use, std::shared_ptr<CallObserver> observer, loading::Stop stop,
                         Lineage lineage) {
    const auto call = std::make_shared<AwaitedCall>(*this, std::move(use), std::move(observer),
                                                    std::move(stop), std::move(lineage));
    identify(*call);
    if (is_prepared(*call)) {
        if (runtime_.can_keep_threads(call->ready->limits.isolation))
            start_thread_for(call);
        else
            run(call);
    }
    return call->await();
}

}  // namespace toolhost::call
