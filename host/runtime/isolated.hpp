// Runs plugins in worker processes: one per library and confinement, started at the first call,
// kept warm, replaced when it crashes, quarantined when it does so too often. A stateful library
// has a worker per caller; a principal whose call crashed a shared one not long ago has its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "host/runtime/crash_guard.hpp"
#include "host/runtime/private_copy.hpp"
#include "host/runtime/protected_state.hpp"
#include "host/runtime/runtime.hpp"
#include "host/runtime/supervisor.hpp"
#include "host/runtime/worker_slots.hpp"

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
    void invoke(const registry::Library& library, Invocation invocation,
                std::shared_ptr<CallHost> host, const Stop& stop, Done done) override;
    [[nodiscard]] bool can_keep_threads(policy::Isolation) const override { return false; }

    // The caller is gone: its own workers are ended, and what they kept is gone.
    void end_caller(std::string_view caller) { slots_.end_caller(caller); }

    [[nodiscard]] std::size_t workers() const { return supervisor_.workers(); }
    // So far, and now.
    [[nodiscard]] std::uint64_t starts() const { return starts_; }
    [[nodiscard]] std::uint64_t crashes() const { return crashes_; }
    [[nodiscard]] std::size_t waiting() const { return gates_.waiting(); }

private:
    // A stateful library has a worker per caller; a principal that crashed a shared one, its own.
    [[nodiscard]] SlotOwner owner_of(const registry::Library& library,
                                     const Invocation& invocation) const;
    // Nothing: the call belongs into another slot by now.
    [[nodiscard]] std::optional<Result<Outcome>> run(WorkerSlot& slot, const Invocation& invocation,
                                                     CallHost& host, const Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<Worker>> worker(WorkerSlot& slot,
                                                         const Invocation& invocation,
                                                         CallHost& host, const Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<Worker>> start(const registry::Library& library,
                                                        const WorkerTerms& terms,
                                                        const ProtectedState& state, CallHost& host,
                                                        const Stop& stop);
    static void tell_new_files(WorkerSlot& slot, const WorkerTerms& terms, CallHost& host);

    const std::string program_;
    PrivateCopies copies_;
    const CrashGuard crash_guard_;
    SerialGates gates_;
    std::atomic<std::uint64_t> starts_{0}, crashes_{0};
    WorkerSlots slots_;
    Supervisor supervisor_;
};

}  // namespace toolhost::runtime
