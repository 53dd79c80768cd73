// Runs plugins in worker processes: one per library and confinement, started at the first call,
// kept warm, replaced when it crashes, quarantined when it does so too often.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/runtime/private_copy.hpp"
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
    [[nodiscard]] std::shared_ptr<Slot> slot(const registry::Library& library,
                                             const WorkerTerms& terms);
    [[nodiscard]] Result<std::shared_ptr<Worker>> worker(Slot& slot, const WorkerTerms& terms,
                                                         CallHost& host, const Stop& stop);
    [[nodiscard]] Result<std::shared_ptr<Worker>> start(const registry::Library& library,
                                                        const WorkerTerms& terms, CallHost& host,
                                                        const Stop& stop);
    // Whether the library may be started, after a pause where it crashed of late.
    static void tell_new_files(Slot& slot, const WorkerTerms& terms, CallHost& host);
    [[nodiscard]] Result<void> check_standing(const registry::Library& library, CallHost& host,
                                              const Stop& stop) const;
    [[nodiscard]] Result<void> await_backoff(const registry::Library& library,
                                             const Standing& standing, CallHost& host,
                                             const Stop& stop) const;
    void count_crash(const registry::Library& library, const policy::Workers& terms,
                     const Error& error);

    const std::string program_;
    PrivateCopies copies_;
    const Quarantine quarantine_;
    SerialGates gates_;
    std::atomic<std::uint64_t> starts_{0}, crashes_{0};
    std::mutex mutex_;
    std::vector<std::shared_ptr<Slot>> slots_;  // as many as libraries in use
    Supervisor supervisor_;
};

}  // namespace toolhost::runtime
