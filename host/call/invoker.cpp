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

Invoker::CallPtr Invoker::make_call(ToolUse&& use, std::shared_ptr<const Watch> watch, Done done,
                                    Lineage&& lineage) {
    auto call = std::make_shared<Call>(*this, std::move(use), std::move(watch), std::move(lineage));
    call->done = std::move(done);
    if (call->use.use_id.empty()) call->use.use_id = next_use_id();
    if (call->lineage.chain == 0) call->lineage.chain = ++chains_;
    return call;
}

void Invoker::go(const CallPtr& call) {
    if (is_prepared(*call)) run(call);
}

void Invoker::start(ToolUse use, std::shared_ptr<const Watch> watch, Done done, Lineage lineage) {
    go(make_call(std::move(use), std::move(watch), std::move(done), std::move(lineage)));
}

void Invoker::post(ToolUse use, std::shared_ptr<const Watch> watch, Done done, Lineage lineage) {
    const auto call =
        make_call(std::move(use), std::move(watch), std::move(done), std::move(lineage));
    spare_a_thread(call, [this, call] { go(call); });
}

void Invoker::spare_a_thread(const CallPtr& call, std::function<void()> work) {
    try {
        runners_.run(std::move(work));
    } catch (const std::system_error& e) {
        finish(*call, Error{ErrorCode::resource_exhausted,
                            std::string("cannot start a thread for the call: ") + e.what(),
                            {{"resource", "threads"}}});
    }
}

ToolResult Invoker::call(ToolUse use, std::shared_ptr<const Watch> watch, Lineage lineage) {
    struct Waiting {
        ToolResult result;
        os::FutexWord there{0};
    };
    // Shared: the thread that sets the result may still be in here when it is taken.
    auto waiting = std::make_shared<Waiting>();
    auto done = [waiting](ToolResult result) {
        waiting->result = std::move(result);
        waiting->there = 1;
        os::futex_wake(waiting->there, 1);
    };
    const auto call =
        make_call(std::move(use), std::move(watch), std::move(done), std::move(lineage));
    if (is_prepared(*call)) {
        if (runtime_.can_keep_threads(call->ready->limits.isolation))
            spare_a_thread(call, [this, call] { run(call); });
        else
            run(call);
    }
    if (!os::spin_while(waiting->there, 0))
        while (waiting->there == 0) os::futex_wait(waiting->there, 0, std::nullopt);
    return std::move(waiting->result);
}

}  // namespace toolhost::call
