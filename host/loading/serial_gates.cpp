#include "host/loading/serial_gates.hpp"

#include "host/os/timed_wait.hpp"

namespace toolhost::loading {

// Follows the chain of waits. It ends, because a chain waits for one gate at a time.
bool SerialGates::would_deadlock(const SerialGate& gate, Chain chain) const {
    const SerialGate* next = &gate;
    while (next->owner != chain) {
        auto it = waiting_.find(next->owner);
        if (it == waiting_.end()) return false;
        next = it->second;
    }
    return true;
}

Result<void> SerialGates::enter(SerialGate& gate, Chain chain, const os::Deadline& deadline,
                                const std::stop_token& cancel) {
    MutexLock lock(mutex_);
    if (gate.depth > 0 && gate.owner != chain) {
        if (would_deadlock(gate, chain))
            return Error{ErrorCode::plugin_unavailable,
                         "deadlock: two calls wait for each other's library, and each library runs "
                         "one call at a time; this call was ended",
                         {}};
        waiting_[chain] = &gate;
        auto is_free = [&] { return gate.depth == 0; };
        const bool entered = os::wait_for(turn_, lock, deadline, cancel, is_free);
        waiting_.erase(chain);
        if (!entered && cancel.stop_requested())
            return Error{
                ErrorCode::cancelled, "the call was cancelled while it waited for the library", {}};
        if (!entered)
            return Error{ErrorCode::timeout,
                         "the library runs one call at a time and was busy until the timeout",
                         {}};
    }
    gate.owner = chain;
    ++gate.depth;
    return {};
}

bool SerialGates::try_enter_posted(SerialGate& gate) {
    const MutexLock lock(mutex_);
    if (gate.depth > 0 && gate.owner != kPosted) return false;
    for (const auto& [chain, awaited] : waiting_)
        if (awaited == &gate) return false;
    gate.owner = kPosted;
    ++gate.depth;
    return true;
}

void SerialGates::leave(SerialGate& gate) {
    {
        MutexLock lock(mutex_);
        if (--gate.depth > 0) return;
        gate.owner = 0;
    }
    turn_.notify_all();
}

}  // namespace toolhost::loading
