// Runs plugins in worker processes: one per library and confinement, started at the first call,
// kept warm, replaced when it crashes, quarantined when it does so too often. A stateful library
// has a worker per caller; a principal whose call crashed a shared one not long ago has its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "host/loading/private_copy.hpp"
#include "host/runtime/posted_calls.hpp"
#include "host/runtime/runtime.hpp"
#include "host/sandbox/protected_state.hpp"
#include "host/worker/crash_guard.hpp"
#include "host/worker/supervisor.hpp"
#include "host/worker/worker_slots.hpp"

namespace toolhost::worker {
class Conversation;
}

namespace toolhost::runtime {

struct IsolatedOptions {
    std::string program;     // the host's own binary
    std::string copies;      // folder for private copies of libraries
    std::string quarantine;  // folder of the quarantine store; empty: none is kept
};

class Isolated : public Runtime {
public:
    explicit Isolated(const IsolatedOptions& options);
    ~Isolated() override;  // ends the workers

    // Blocks until the call has ended, by itself or by force.
    [[nodiscard]] Result<loading::Outcome> run(const registry::Library& library,
                                               const PlacedInvocation& invocation,
                                               loading::CallHost& host, const loading::Stop& stop);
    void invoke(const registry::Library& library, const PlacedInvocation& invocation,
                std::shared_ptr<PluginCall> call, const loading::Stop& stop) override {
        call->ended(run(library, invocation, *call, stop));
    }
    [[nodiscard]] bool try_post(const registry::Library& library,
                                const PlacedInvocation& invocation,
                                const std::shared_ptr<PluginCall>& call,
                                const loading::Stop& stop) override;
    [[nodiscard]] bool can_keep_threads(Isolation) const override { return false; }

    // Starts the library's worker, and calls nothing: an error says why no call can run. Within the
    // deadline of `host`.
    [[nodiscard]] Result<void> open(const registry::Library& library,
                                    const worker::WorkerConfig& config, loading::CallHost& host);

    // The caller is gone: its own workers are ended, and what they kept is gone.
    void end_caller(std::string_view caller) { slots_.end_caller(caller); }

    // What try_post() has posted: for those who collect it.
    [[nodiscard]] PostedCalls& posted() { return posted_; }

    [[nodiscard]] std::size_t workers() const { return supervisor_.workers(); }
    // So far, and now.
    [[nodiscard]] std::uint64_t starts() const { return starts_; }
    [[nodiscard]] std::uint64_t crashes() const { return crashes_; }
    [[nodiscard]] std::size_t waiting() const { return gates_.waiting(); }

private:
    friend class PostedCall;
    friend class PostedCalls;
    enum class Sent { whole, in_part, no_room, impossible };
    // Sends a call on a lane of its slot's worker, without waiting. Impossible: there is no worker.
    [[nodiscard]] Sent send(PostedCall& call);
    // It has given back its lane.
    void leave_posted(worker::WorkerSlot& slot);
    // A stateful library has a worker per caller; a principal that crashed a shared one, its own.
    [[nodiscard]] worker::SlotOwner owner_of(const registry::Library& library,
                                             const PlacedInvocation& invocation) const;
    // The slot was found for `owner`. Nothing: the call belongs into another one by now.
    [[nodiscard]] std::optional<Result<loading::Outcome>> run_in(worker::WorkerSlot& slot,
                                                                 const worker::SlotOwner& owner,
                                                                 const PlacedInvocation& invocation,
                                                                 loading::CallHost& host,
                                                                 const loading::Stop& stop);
    // After a call, whatever came of it: what the plugin printed, files that it made, a crash.
    void conclude(worker::WorkerSlot& slot, const worker::StartedWorker& started,
                  const PlacedInvocation& invocation, const worker::Conversation& talk,
                  const Result<loading::Outcome>& outcome, loading::CallHost& host,
                  const loading::Stop& stop);
    [[nodiscard]] Result<worker::StartedWorker> worker(worker::WorkerSlot& slot,
                                                       const PlacedInvocation& invocation,
                                                       loading::CallHost& host,
                                                       const loading::Stop& stop);
    [[nodiscard]] Result<worker::StartedWorker> start_in(worker::StartingWorker& starting,
                                                         const PlacedInvocation& invocation,
                                                         loading::CallHost& host,
                                                         const loading::Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<worker::Worker>> start(
        const registry::Library& library, const worker::CrashScope& scope,
        const worker::WorkerConfig& config, const sandbox::ProtectedState& state,
        loading::CallHost& host, const loading::Stop& stop);

    const std::string program_;
    loading::PrivateCopies copies_;
    const worker::CrashGuard crash_guard_;
    loading::SerialGates gates_;
    std::atomic<std::uint64_t> starts_{0}, crashes_{0};
    worker::WorkerSlots slots_;
    worker::Supervisor supervisor_;
    PostedCalls posted_;  // its calls use all of the above
};

}  // namespace toolhost::runtime
