// Waiting for another thread no longer than a call's deadline, and not when it is cancelled.
#pragma once

#include <condition_variable>
#include <stop_token>

#include "host/base/mutex.hpp"
#include "host/os/duty.hpp"
#include "host/os/futex.hpp"

namespace toolhost::os {

// Whether it became ready in time. The caller holds the lock, which the compiler cannot see of
// `ready`.
template <class Ready>
[[nodiscard]] bool wait_for(std::condition_variable_any& changed, MutexLock& lock,
                            const Deadline& deadline, const std::stop_token& cancel, Ready ready)
    TOOLHOST_THREAD_ANNOTATION(no_thread_safety_analysis) {
    if (auto* duty = Duty::current(); duty && !ready()) duty->hand_over();
    return deadline ? changed.wait_until(lock.native(), cancel, *deadline, ready)
                    : changed.wait(lock.native(), cancel, ready);
}

}  // namespace toolhost::os
