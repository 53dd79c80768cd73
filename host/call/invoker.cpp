#include "host/call/invoker.hpp"

#include <random>
#include <system_error>
#include <thread>

#include "host/base/json_text.hpp"
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
    constexpr std::size_t kMaxDigits = 20;
    std::string id;
    id.reserve(id_prefix_.size() + kMaxDigits);
    id += id_prefix_;
    append_json_number(id, static_cast<std::int64_t>(++calls_));
    return id;
}

void Invoker::identify(Call& call) {
    if (call.use.use_id.empty()) call.use.use_id = next_use_id();
    if (call.lineage.chain == 0) call.lineage.chain = ++chains_;
}

void Invoker::start(ToolUse&& use, std::shared_ptr<CallObserver> observer, loading::Stop stop) {
    const auto call = std::make_shared<Call>(*this, std::move(use), std::move(observer),
                                             std::move(stop), Lineage());
    identify(*call);
    if (is_prepared(*call)) run(call, Wait::if_not_posted);
}

// A call whose caller waits for the result.
struct Invoker::AwaitedCall final : Call {
    // Apart from the call: when the caller goes on, a call that ended in time is gone from the
    // thread that ran it, with all that it owned.
    class Awaited {
    public:
        // On the thread that runs the call, before and after.
        void entered() { runner_ = std::this_thread::get_id(); }
        void left() {
            if (is_delivered_) wake();
        }

        void deliver(ToolResult&& made) {
            result_ = std::move(made);
            is_delivered_ = true;
            // Else the call ended while its code still runs, or before it did.
            if (runner_.load() != std::this_thread::get_id()) wake();
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
        void wake() {
            if (state_.exchange(kThere, std::memory_order_acq_rel) == kAsleep)
                os::futex_wake(state_, 1);
        }

        ToolResult result_;
        std::atomic<std::thread::id> runner_{};
        std::atomic<bool> is_delivered_{false};
        os::FutexWord state_{kRunning};
    };

    using Call::Call;
    void deliver(ToolResult&& made) override { awaited->deliver(std::move(made)); }

    const std::shared_ptr<Awaited> awaited = std::make_shared<Awaited>();
};

void Invoker::start_thread_for(std::shared_ptr<AwaitedCall> call) {
    auto run_and_leave = [this, running = call]() mutable {
        const auto awaited = running->awaited;
        awaited->entered();
        run(running, Wait::until_ended);
        running.reset();
        awaited->left();
    };
    try {
        runners_.run(std::move(run_and_leave));
    } catch (const std::system_error& e) {
        finish(*call, Error{ErrorCode::resource_exhausted,
                            std::string("cannot start a thread for the call: ") + e.what(),
                            {{"resource", "threads"}}});
    }
}

ToolResult Invoker::call(ToolUse use, std::shared_ptr<CallObserver> observer, loading::Stop stop,
                         Lineage lineage) {
    const auto call = std::make_shared<AwaitedCall>(*this, std::move(use), std::move(observer),
                                                    std::move(stop), std::move(lineage));
    identify(*call);
    if (is_prepared(*call)) {
        if (runtime_.can_keep_threads(call->ready->limits.isolation))
            start_thread_for(call);
        else
            run(call, Wait::until_ended);
    }
    return call->awaited->await();
}

}  // namespace toolhost::call
