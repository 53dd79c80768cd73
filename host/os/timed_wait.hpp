// Waiting for another thread no longer than a call's deadline, and not when it is cancelled.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "host/os/futex.hpp"

namespace toolhost::os {

// Whether it became ready in time.
template <class Ready>
[[nodiscard]] bool wait_for(std::condition_variable_any& changed,
                            std::unique_lock<std::mutex>& lock, const Deadline& deadline,
                            const std::stop_token& cancel, Ready ready) {
    return deadline ? changed.wait_until(lock, cancel, *deadline, ready)
                    : changed.wait(lock, cancel, ready);
}

}  // namespace toolhost::os
