// The place of one worker: a library under one confinement, for everybody or for one owner.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

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
    std::mutex mutex;  // of what follows
    std::condition_variable_any changed;
    bool starting = false;          // one thread starts the worker, the others wait for it
    std::weak_ptr<Worker> worker;   // its supervisor's, until it ends
    sandbox::ProtectedState state;  // as it was when that worker was started
    std::shared_ptr<sandbox::TrustedTree> tree;

    [[nodiscard]] sandbox::ProtectedState look(const sandbox::Confinement& confinement) const {
        return sandbox::ProtectedState(confinement, tree->look());
    }
    // The worker that takes calls, if there is one. Under the lock.
    [[nodiscard]] std::shared_ptr<Worker> living() const {
        auto known = worker.lock();
        return known && !known->ending() && !known->dead() ? known : nullptr;
    }
};

// Marks the slot as starting its worker, until that has been done or has failed.
class StartingWorker {
public:
    explicit StartingWorker(WorkerSlot& slot) : slot_(slot) {
        slot_.starting = true;
    }  // under the lock
    ~StartingWorker() {
        {
            std::lock_guard lock(slot_.mutex);
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
