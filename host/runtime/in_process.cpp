#include "host/runtime/in_process.hpp"

#include <algorithm>

#include "host/os/duty.hpp"

namespace toolhost::runtime {
namespace {

// What was asked for and cannot be had here is refused, never quietly left out.
std::string unmet(const PlacedInvocation& invocation) {
    if (invocation.isolation == Isolation::process) return "isolation: process";
    if (invocation.sandbox == sandbox::Enforcement::required) return "sandbox: required";
    return "";
}

}  // namespace

// One call while it runs. It ends once: its code returns, or it is waited for no longer, be it that
// its time is over or that the caller left. What comes second changes nothing.
class InProcess::Work : public Watched {
public:
    Work(std::shared_ptr<loading::LocalCode> code, const PlacedInvocation& invocation,
         std::shared_ptr<PluginCall> call, std::shared_ptr<std::atomic<int>> all_overdue)
        : code_(std::move(code)),
          overdue_(code_->overdue),
          invocation_(invocation),
          call_(std::move(call)),
          all_overdue_(std::move(all_overdue)) {}

    // Foreign code, which may never return.
    void run(loading::SerialGates& gates) {
        auto opened = code_->open();
        auto outcome =
            opened ? Result<loading::Outcome>(code_->invoke(invocation_, *call_)) : opened.error();
        if (!code_->concurrent()) gates.leave(code_->gate);
        if (!settled_.exchange(true)) {
            code_.reset();  // the thread that ends the runtime next closes the library
            return call_->ended(outcome);
        }
        --*overdue_;
        --*all_overdue_;
    }

    void leave(const Error& why) {
        // Counted before it is settled: run() takes it back as soon as it sees that.
        ++*overdue_;
        ++*all_overdue_;
        if (!settled_.exchange(true)) return call_->ended(why);
        --*overdue_;
        --*all_overdue_;
    }

    [[nodiscard]] os::Deadline deadline() const override { return call_->deadline(); }
    [[nodiscard]] bool settled() const override { return settled_; }
    void overdue() override {
        leave({ErrorCode::timeout, "its code is still running and cannot be stopped", {}});
    }

private:
    std::shared_ptr<loading::LocalCode> code_;  // the running thread's alone
    const std::shared_ptr<std::atomic<int>> overdue_;
    const PlacedInvocation invocation_;
    const std::shared_ptr<PluginCall> call_;
    const std::shared_ptr<std::atomic<int>> all_overdue_;
    std::atomic<bool> settled_{false};
};

InProcess::InProcess(const std::string& copies)
    : copies_(std::make_shared<loading::PrivateCopies>(copies)) {}
InProcess::~InProcess() = default;

std::size_t InProcess::loaded() {
    MutexLock lock(mutex_);
    std::size_t open = 0;
    for (const auto& [path, versions] : plugins_)
        for (const auto& plugin : versions) open += plugin->is_open() ? 1 : 0;
    return open;
}

int InProcess::overdue() const {
    return *overdue_;
}

std::shared_ptr<loading::LocalCode> InProcess::code_of(const registry::Library& library) {
    if (library.embedded) return library.embedded;
    MutexLock lock(mutex_);
    auto& of_path = plugins_[library.path];
    for (const auto& known : of_path)
        if (known->identity() == library.identity) return known;
    return of_path.emplace_back(std::make_shared<loading::PluginLibrary>(library, copies_));
}

void InProcess::invoke(const registry::Library& library, const PlacedInvocation& invocation,
                       std::shared_ptr<PluginCall> call, const loading::Stop& stop) {
    if (auto wanted = unmet(invocation); !wanted.empty())
        return call->ended(
            Error{ErrorCode::sandbox_unavailable,
                  "the profile requires " + wanted +
                      ", but isolation: in_process has no sandbox; set isolation: process, "
                      "or sandbox: off",
                  {}});
    if (library.stateful && !invocation.caller.empty())
        return call->ended(
            Error{ErrorCode::plugin_unavailable,
                  library.name() + " keeps state between calls, and in the host's own process all "
                                   "clients would share it; isolation: process keeps them apart",
                  {}});
    auto called = code_of(library);
    if (*called->overdue > 0)
        return call->ended(Error{
            ErrorCode::plugin_unavailable,
            called->name() + " is still busy with a call that ran out of time; it can be called "
                             "again when that returns",
            {}});
    if (!watchdog_->start())
        return call->ended(Error{ErrorCode::resource_exhausted,
                                 "cannot start the thread that ends calls at their timeout",
                                 {{"resource", "threads"}}});
    if (!called->concurrent()) {
        auto turn = gates_->enter(called->gate, invocation.chain, call->deadline(), stop.cancel);
        if (!turn) return call->ended(turn.error());
    }
    // Kept by this frame: the runtime itself may be gone when the code returns at last.
    const auto gates = gates_;
    const auto watchdog = watchdog_;
    auto work = std::make_shared<Work>(std::move(called), invocation, std::move(call), overdue_);
    const auto ticket = watchdog->watch(work);
    if (auto* duty = os::Duty::current()) duty->watch();
    {
        std::stop_callback abandoned(stop.abandon, [&work] {
            work->leave({ErrorCode::cancelled,
                         "the call was abandoned while its tool was still running",
                         {}});
        });
        work->run(*gates);
    }
    watchdog->forget(ticket);
}

}  // namespace toolhost::runtime
