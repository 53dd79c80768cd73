// The place of one worker: a library under one confinement, for everybody or for one owner.
#pragma once

#include <condition_variable>
#include <memory>
#include <string>

#include "host/base/mutex.hpp"
#include "host/loading/serial_gates.hpp"
#include "host/registry/catalogue.hpp"
#include "host/sandbox/protected_state.hpp"
#include "host/sandbox/trusted_tree.hpp"
#include "host/worker/worker.hpp"

namespace toolhost::worker {

// Whose calls alone a worker takes; without any name it takes everybody's.
struct SlotOwner {
    std::string principal{};
    std::string caller{};  // empty: any caller of the principal

    [[nodiscard]] bool is_everybody() const { return principal.empty() && caller.empty(); }
    bool operator==(const SlotOwner&) const = default;
};

struct WorkerSlot {
    registry::Library library;
    std::string config;  // their key
    SlotOwner owner;
    loading::SerialGate gate;
    mutable Mutex mutex;
    std::condition_variable_any changed;
    // One thread starts the worker, the others wait for it.
    bool starting GUARDED_BY(mutex) = false;
    std::weak_ptr<Worker> worker GUARDED_BY(mutex);   // its supervisor's, until it ends
    sandbox::ProtectedState state GUARDED_BY(mutex);  // as it was when that worker was started
    std::shared_ptr<sandbox::TrustedTree> tree;

    [[nodiscard]] sandbox::ProtectedState look(const sandbox::Confinement& confinement) const {
        return sandbox::ProtectedState(confinement, tree->look());
    }
    // The worker that takes calls, if there is one.
    [[nodiscard]] std::shared_ptr<Worker> living() const REQUIRES(mutex) {
        auto known = worker.lock();
        return known && !known->ending() && !known->dead() ? known : nullptr;
    }
};

// Marks the slot as starting its worker, until that has been done or has failed.
class StartingWorker {
public:
    explicit StartingWorker(WorkerSlot& slot) REQUIRES(slot.mutex) : slot_(slot) {
        slot_.starting = true;
    }
    ~StartingWorker() {
        {
            MutexLock lock(slot_.mutex);
            slot_.starting = false;
            if (worker) {
                slot_.worker = worker;
                slot_.state = state;
            }
        }
        slot_.changed.notify_all();
    }
    StartingWorker(const StartingWorker&) = delete;
    StartingWorker& operator=(const StartingWorker&) = delete;

    std::shared_ptr<Worker> worker;
    sandbox::ProtectedState state;

private:
    WorkerSlot& slot_;
};

}  // namespace toolhost::worker
