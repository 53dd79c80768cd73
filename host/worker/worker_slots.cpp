#include "host/worker/worker_slots.hpp"

#include <map>

namespace toolhost::worker {
namespace {

// Of one library, where owners have workers of their own: each is a process with its memory.
constexpr std::size_t kMaxOwned = 16;

bool is_in_call(const std::shared_ptr<WorkerSlot>& slot) {
    return slot.use_count() > 1;
}

std::shared_ptr<Worker> worker_of(const WorkerSlot& slot) {
    MutexLock lock(slot.mutex);
    return slot.worker.lock();
}

void end_worker(const WorkerSlot& slot) {
    if (const auto worker = worker_of(slot)) worker->retire();
}

Error no_room(const registry::Library& library) {
    return {ErrorCode::resource_exhausted,
            library.name() + " has " + std::to_string(kMaxOwned) +
                " workers for clients, the maximum, and none that may end for this client is idle; "
                "try again later",
            {{"resource", "workers"}}};
}

}  // namespace

Result<std::shared_ptr<WorkerSlot>> WorkerSlots::find_or_add(const registry::Library& library,
                                                             const WorkerConfig& config,
                                                             const SlotOwner& owner,
                                                             KnownSlot* known) {
    const bool is_for_all = known && owner.is_everybody();
    if (is_for_all)
        if (auto slot = known->get()) return slot;
    const MutexLock lock(mutex_);
    if (known && !is_for_all)
        if (auto slot = known->owned(owner, changes_)) return slot;
    auto slot = find_or_add_locked(library, config, owner);
    if (slot && is_for_all) known->set(*slot);
    // Another owner's slot stands in only while there is no room.
    if (slot && known && !is_for_all && (*slot)->owner == owner)
        known->set_owned(owner, *slot, changes_);
    return slot;
}

Result<std::shared_ptr<WorkerSlot>> WorkerSlots::find_or_add_locked(
    const registry::Library& library, const WorkerConfig& config, const SlotOwner& owner) {
    if (auto known = find(library, config, owner)) return known;
    ++changes_;
    // Of libraries and profiles that are no longer.
    std::erase_if(slots_,
                  [](const auto& known) { return !is_in_call(known) && !worker_of(*known); });
    auto whose = owner;
    if (!owner.is_everybody() && !make_room(library.path, owner.principal, 1)) {
        if (library.stateful) return no_room(library);
        whose = {};
        if (auto known = find(library, config, whose)) return known;
    }
    auto made = std::make_shared<WorkerSlot>();
    made->library = library;
    made->config = config.key;
    made->owner = std::move(whose);
    made->tree = trees_.of(config.confinement);
    return slots_.emplace_back(std::move(made));
}

std::shared_ptr<WorkerSlot> WorkerSlots::find(const registry::Library& library,
                                              const WorkerConfig& config,
                                              const SlotOwner& owner) const {
    for (const auto& known : slots_)
        if (known->config == config.key && known->library.identity == library.identity &&
            known->library.path == library.path && known->owner == owner)
            return known;
    return nullptr;
}

void WorkerSlots::retire(const WorkerSlot& slot, const std::shared_ptr<Worker>& worker) {
    worker->retire();
    if (slot.owner.is_everybody() || worker->ending()) return;
    const MutexLock lock(mutex_);
    retired_.push_back({slot.library.path, slot.owner.principal, worker});
}

Result<void> WorkerSlots::make_room_for(const WorkerSlot& slot) {
    if (slot.owner.is_everybody()) return {};
    const MutexLock lock(mutex_);
    ++changes_;
    if (make_room(slot.library.path, slot.owner.principal, 0)) return {};
    return no_room(slot.library);
}

// A principal's share is kMaxOwned / number of principals. One that is below it displaces a worker
// of one that is above; then, as one that is not below, only its own. If a principal is below its
// share and there is no room, another one is above.
bool WorkerSlots::make_room(const std::string& library, const std::string& principal,
                            std::size_t more) {
    std::size_t count = 0;
    std::map<std::string, std::size_t> held{{principal, 0}};
    for (const auto& known : slots_) {
        if (known->owner.is_everybody() || known->library.path != library) continue;
        ++count;
        ++held[known->owner.principal];
    }
    std::erase_if(retired_, [](const auto& old) {
        const auto worker = old.worker.lock();
        return !worker || worker->ending() || worker->dead();
    });
    for (const auto& old : retired_) {
        if (old.library != library) continue;
        ++count;
        ++held[old.principal];
    }
    if (count + more <= kMaxOwned) return true;
    auto displaced = slots_.end();
    if (held[principal] * held.size() < kMaxOwned)
        displaced = longest_idle(library, [&](const std::string& other) {
            return held[other] * held.size() > kMaxOwned;
        });
    if (displaced == slots_.end())
        displaced =
            longest_idle(library, [&](const std::string& other) { return other == principal; });
    if (displaced == slots_.end()) return false;
    end_worker(**displaced);
    slots_.erase(displaced);
    return true;
}

WorkerSlots::Slots::iterator WorkerSlots::longest_idle(
    const std::string& library, const std::function<bool(const std::string& principal)>& of) {
    auto oldest = slots_.end();
    auto oldest_use = Worker::Clock::time_point::max();
    for (auto it = slots_.begin(); it != slots_.end(); ++it) {
        const auto& known = **it;
        if (known.owner.is_everybody() || known.library.path != library || is_in_call(*it) ||
            !of(known.owner.principal))
            continue;
        const auto worker = worker_of(known);
        const auto idle = worker ? worker->idle_since() : Worker::Clock::time_point::min();
        if (!idle || *idle >= oldest_use) continue;
        oldest = it;
        oldest_use = *idle;
    }
    return oldest;
}

void WorkerSlots::end_caller(std::string_view caller) {
    if (caller.empty()) return;
    MutexLock lock(mutex_);
    ++changes_;
    std::erase_if(slots_, [&](const auto& known) {
        if (known->owner.caller != caller || is_in_call(known)) return false;
        end_worker(*known);
        return true;
    });
}

}  // namespace toolhost::worker
