// All slots, and how many of them a library may have for owners: each principal has an equal share.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "host/worker/worker_config.hpp"
#include "host/worker/worker_slot.hpp"

namespace toolhost::worker {

class WorkerSlots {
public:
    // The slot of the library as it is, under these terms. Where a new owner finds no room among
    // the library's owners: everybody's, and for a stateful library an error.
    [[nodiscard]] Result<std::shared_ptr<WorkerSlot>> find_or_add(const registry::Library& library,
                                                                  const WorkerConfig& config,
                                                                  const SlotOwner& owner);
    // Ends the workers that are that caller's alone.
    void end_caller(std::string_view caller);

private:
    using Slots = std::vector<std::shared_ptr<WorkerSlot>>;
    [[nodiscard]] std::shared_ptr<WorkerSlot> find(const registry::Library& library,
                                                   const WorkerConfig& config,
                                                   const SlotOwner& owner) const;
    [[nodiscard]] bool make_room(const std::string& library, const std::string& principal);
    [[nodiscard]] Slots::iterator longest_idle(
        const std::string& library, const std::function<bool(const std::string& principal)>& of);

    std::mutex mutex_;
    Slots slots_;
    sandbox::TrustedTrees trees_;
};

}  // namespace toolhost::worker
