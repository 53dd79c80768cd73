// Where the calls of one tool of a view run, so that no call has to search for it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace toolhost::worker {

struct WorkerSlot;

// Whose calls alone a worker takes; without any name it takes everybody's.
struct SlotOwner {
    std::string principal{};
    std::string caller{};  // empty: any caller of the principal

    [[nodiscard]] bool is_everybody() const { return principal.empty() && caller.empty(); }
    auto operator<=>(const SlotOwner&) const = default;
};

class KnownSlot {
public:
    // The slot for everybody's calls, from any thread; null: not found yet. It stays among the
    // slots for as long as the view lives.
    [[nodiscard]] std::shared_ptr<WorkerSlot> get() const {
        return is_set_.load(std::memory_order_acquire) ? slot_ : nullptr;
    }

    // The caller of these holds the lock of the slots. Later calls have no effect.
    void set(const std::shared_ptr<WorkerSlot>& slot) {
        if (is_set_.load(std::memory_order_relaxed)) return;
        slot_ = slot;
        is_set_.store(true, std::memory_order_release);
    }
    // The slot of one owner, if no slot was added or removed since it was found; null: search.
    [[nodiscard]] std::shared_ptr<WorkerSlot> owned(const SlotOwner& owner,
                                                    std::uint64_t changes) const {
        const auto known = changes == changes_ ? owned_.find(owner) : owned_.end();
        return known != owned_.end() ? known->second.lock() : nullptr;
    }
    void set_owned(const SlotOwner& owner, const std::shared_ptr<WorkerSlot>& slot,
                   std::uint64_t changes) {
        if (changes != changes_) owned_.clear();
        changes_ = changes;
        owned_[owner] = slot;
    }

private:
    std::shared_ptr<WorkerSlot> slot_;
    std::atomic<bool> is_set_{false};
    std::map<SlotOwner, std::weak_ptr<WorkerSlot>> owned_;
    std::uint64_t changes_ = 0;  // of the slots, when these were found
};

}  // namespace toolhost::worker
