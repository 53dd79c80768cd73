// Runs plugins in worker processes: one per library and confinement, started at the first call,
// kept warm, replaced when it crashes, quarantined when it does so too often. A stateful library
// has a worker per caller, and so has a caller whose call crashed a shared one not long ago.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/runtime/private_copy.hpp"
#include "host/runtime/protected_state.hpp"
#include "host/runtime/quarantine.hpp"
#include "host/runtime/runtime.hpp"
#include "host/runtime/supervisor.hpp"

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
    void end_caller(std::string_view caller);

    [[nodiscard]] std::size_t workers() const { return supervisor_.workers(); }
    // So far, and now.
    [[nodiscard]] std::uint64_t starts() const { return starts_; }
    [[nodiscard]] std::uint64_t crashes() const { return crashes_; }
    [[nodiscard]] std::size_t waiting() const { return gates_.waiting(); }

private:
    struct Slot;
    class Starting;
    [[nodiscard]] Result<Outcome> run(Slot& slot, const Invocation& invocation, CallHost& host,
                                      const Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<Slot>> slot(const registry::Library& library,
                                                     const Invocation& invocation);
    [[nodiscard]] Result<void> make_room(const registry::Library& library);
    [[nodiscard]] Result<std::shared_ptr<Worker>> worker(Slot& slot, const Invocation& invocation,
                                                         CallHost& host, const Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<Worker>> start(const registry::Library& library,
                                                        const WorkerTerms& terms,
                                                        const ProtectedState& state, CallHost& host,
                                                        const Stop& stop);
    static void tell_new_files(Slot& slot, const WorkerTerms& terms, CallHost& host);
    // Whether the library may be started, after a pause where it crashed of late.
    [[nodiscard]] Result<void> check_standing(const CrashScope& scope, CallHost& host,
                                              const Stop& stop) const;
    [[nodiscard]] Result<void> await_backoff(const std::string& path, const Standing& standing,
                                             CallHost& host, const Stop& stop) const;
    void count_crash(const CrashScope& scope, const policy::Workers& terms, const Error& error);

    const std::string program_;
    PrivateCopies copies_;
    const Quarantine quarantine_;
    TrustedTrees trees_;
    SerialGates gates_;
    std::atomic<std::uint64_t> starts_{0}, crashes_{0};
    std::mutex mutex_;
    std::vector<std::shared_ptr<Slot>> slots_;
    Supervisor supervisor_;
};

}  // namespace toolhost::runtime
