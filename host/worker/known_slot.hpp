// Where the calls of one tool of a view run, so that no call has to search for it.
#pragma once

#include <atomic>
#include <memory>

namespace toolhost::worker {

struct WorkerSlot;

// Holds the slot for everybody's calls once it was found, and by that keeps it among the slots for
// as long as the view lives. From any thread.
class KnownSlot {
public:
    // Null: not found yet.
    [[nodiscard]] std::shared_ptr<WorkerSlot> get() const {
        return is_set_.load(std::memory_order_acquire) ? slot_ : nullptr;
    }
    // Later calls have no effect. The caller holds the lock of the slots.
    void set(const std::shared_ptr<WorkerSlot>& slot) {
        if (is_set_.load(std::memory_order_relaxed)) return;
        slot_ = slot;
        is_set_.store(true, std::memory_order_release);
    }

private:
    std::shared_ptr<WorkerSlot> slot_;
    std::atomic<bool> is_set_{false};
};

}  // namespace toolhost::worker
