// All slots, and how many of them a library may have for owners: each principal has an equal share.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/worker/known_slot.hpp"
#include "host/worker/worker_config.hpp"
#include "host/worker/worker_slot.hpp"

namespace toolhost::worker {

class WorkerSlots {
public:
    // The slot of the library as it is, under this configuration. Where a new owner finds no room
    // among the library's owners: everybody's, and for a stateful library an error. `known` is that
    // of one library and configuration, or null.
    [[nodiscard]] Result<std::shared_ptr<WorkerSlot>> find_or_add(const registry::Library& library,
                                                                  const WorkerConfig& config,
                                                                  const SlotOwner& owner,
                                                                  KnownSlot* known = nullptr);
    // Replaces a worker of the slot: it ends with the calls that are in it.
    void retire(const WorkerSlot& slot, const std::shared_ptr<Worker>& worker);
    // Before the slot gets another worker: retired ones may have taken its place among the owners'.
    [[nodiscard]] Result<void> make_room_for(const WorkerSlot& slot);
    // Ends the workers that are that caller's alone.
    void end_caller(std::string_view caller);

private:
    [[nodiscard]] Result<std::shared_ptr<WorkerSlot>> find_or_add_locked(
        const registry::Library& library, const WorkerConfig& config, const SlotOwner& owner)
        REQUIRES(mutex_);
    using Slots = std::vector<std::shared_ptr<WorkerSlot>>;
    struct Retired {
        std::string library, principal;
        std::weak_ptr<Worker> worker;
    };
    [[nodiscard]] std::shared_ptr<WorkerSlot> find(const registry::Library& library,
                                                   const WorkerConfig& config,
                                                   const SlotOwner& owner) const REQUIRES(mutex_);
    // For `more` slots of a library's. False: there is no room.
    [[nodiscard]] bool make_room(const std::string& library, const std::string& principal,
                                 std::size_t more) REQUIRES(mutex_);
    [[nodiscard]] Slots::iterator longest_idle(
        const std::string& library, const std::function<bool(const std::string& principal)>& of)
        REQUIRES(mutex_);

    Mutex mutex_;
    Slots slots_ GUARDED_BY(mutex_);
    std::uint64_t changes_ GUARDED_BY(mutex_) = 0;     // grows when slots may be added or removed
    std::vector<Retired> retired_ GUARDED_BY(mutex_);  // owners' workers that still run calls
    sandbox::TrustedTrees trees_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::worker
