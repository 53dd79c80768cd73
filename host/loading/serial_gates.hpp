// Lets one call at a time into a library that is not concurrent. A nested call that returns to the
// same library enters as part of the call that holds it: both have the same chain.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <stop_token>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"

namespace toolhost::loading {

using Chain = std::uint64_t;  // identifies the root call; 0 for none

struct SerialGate {
    Chain owner = 0;
    int depth = 0;  // how often the owner has entered
};

// All gates share one lock, so that chains that wait for each other can be detected.
class SerialGates {
public:
    // Waits for the gate. Errors: timeout; cancelled; plugin_unavailable if waiting would be a
    // deadlock.
    [[nodiscard]] Result<void> enter(SerialGate& gate, Chain chain, const os::Deadline& deadline,
                                     const std::stop_token& cancel);
    // Without waiting, for a call that makes no calls itself. Such calls enter together: the worker
    // runs them one by one. False: the gate is taken, or others wait for it.
    [[nodiscard]] bool try_enter_posted(SerialGate& gate);
    // From any thread.
    void leave(SerialGate& gate);
    // Number of waiting calls.
    [[nodiscard]] std::size_t waiting() const {
        MutexLock lock(mutex_);
        return waiting_.size();
    }

private:
    static constexpr Chain kPosted = ~Chain{0};
    [[nodiscard]] bool would_deadlock(const SerialGate& gate, Chain chain) const REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::condition_variable_any turn_;
    std::map<Chain, const SerialGate*> waiting_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::loading
