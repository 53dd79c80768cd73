// The place of one worker: a library under one confinement, for everybody or for one owner.
#pragma once

#include <condition_variable>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "host/base/mutex.hpp"
#include "host/loading/serial_gates.hpp"
#include "host/registry/catalogue.hpp"
#include "host/sandbox/protected_state.hpp"
#include "host/sandbox/trusted_tree.hpp"
#include "host/worker/known_slot.hpp"
#include "host/worker/worker.hpp"

namespace toolhost::worker {

// What a worker's mounts hold, and which new files were told of since. From any thread.
class WorkerFiles {
public:
    explicit WorkerFiles(sandbox::ProtectedState state) : state_(std::move(state)) {}

    [[nodiscard]] const sandbox::ProtectedState& state() const { return state_; }
    // Those of `now` that the worker does not hold; each once.
    [[nodiscard]] std::vector<std::string> new_in(const sandbox::ProtectedState& now,
                                                  const sandbox::Confinement& confinement) {
        auto files = now.new_since(state_, confinement);
        const MutexLock lock(mutex_);
        std::erase_if(
            files, [&](const auto& path) REQUIRES(mutex_) { return !told_.insert(path).second; });
        return files;
    }

private:
    const sandbox::ProtectedState state_;  // as it was when the worker was started
    Mutex mutex_;
    std::set<std::string> told_ GUARDED_BY(mutex_);
};

struct StartedWorker {
    std::shared_ptr<Worker> worker;
    std::shared_ptr<WorkerFiles> files;
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
    std::weak_ptr<Worker> worker GUARDED_BY(mutex);        // its supervisor's, until it ends
    std::shared_ptr<WorkerFiles> files GUARDED_BY(mutex);  // that worker's
    std::shared_ptr<sandbox::TrustedTree> tree;            // set once

    // Nothing: the deadline was over or the call was cancelled first. Not under the lock.
    [[nodiscard]] std::optional<sandbox::ProtectedState> look(
        const sandbox::Confinement& confinement, const os::Deadline& deadline,
        const std::stop_token& cancel) const {
        auto nested = tree->look(deadline, cancel);
        if (!nested) return std::nullopt;
        return sandbox::ProtectedState(confinement, std::move(nested));
    }
    // The worker, if it takes calls and its mounts are up to date. Waits for none to start.
    [[nodiscard]] std::optional<StartedWorker> usable(const sandbox::Confinement& confinement,
                                                      const os::Deadline& deadline,
                                                      const std::stop_token& cancel) const {
        const auto now = look(confinement, deadline, cancel);
        if (!now) return std::nullopt;
        const MutexLock lock(mutex);
        auto known = starting ? nullptr : living();
        if (!known || files->state() != *now) return std::nullopt;
        return StartedWorker{std::move(known), files};
    }
    [[nodiscard]] bool is_starting() const {
        const MutexLock lock(mutex);
        return starting;
    }
    // The worker that takes calls, if there is one.
    [[nodiscard]] std::shared_ptr<Worker> living() const REQUIRES(mutex) {
        auto known = worker.lock();
        return known && known->takes_calls() ? known : nullptr;
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
            if (started.worker) {
                slot_.worker = started.worker;
                slot_.files = started.files;
            }
        }
        slot_.changed.notify_all();
    }
    StartingWorker(const StartingWorker&) = delete;
    StartingWorker& operator=(const StartingWorker&) = delete;

    [[nodiscard]] const WorkerSlot& slot() const { return slot_; }

    StartedWorker started;

private:
    WorkerSlot& slot_;
};

}  // namespace toolhost::worker
