// One call at a time into a library that wants it so. A call that leads back into such a library
// through call_tool is part of the call that is in it, so a chain of calls enters as one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <stop_token>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"

namespace toolhost::loading {

using Chain = std::uint64_t;  // which root call a call belongs to; 0: none

struct SerialGate {
    Chain owner = 0;
    int depth = 0;  // how often the owner has entered
};

// All gates share one lock: that way two chains that wait for each other can be told.
class SerialGates {
public:
    // Waits for its turn. Errors: timeout; cancelled; plugin_unavailable, if waiting would never
    // end.
    [[nodiscard]] Result<void> enter(SerialGate& gate, Chain chain, const os::Deadline& deadline,
                                     const std::stop_token& cancel);
    // Without waiting, for a call that makes no calls itself. Such calls enter together: the worker
    // runs them one by one. False: the gate is taken, or others wait for it.
    [[nodiscard]] bool try_enter_posted(SerialGate& gate);
    // From any thread.
    void leave(SerialGate& gate);
    // How many wait for their turn.
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
