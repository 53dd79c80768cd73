// How often and how many at once: the limits a profile sets for one tool. The rate is each
// principal's own. Places are one number for all principals, and go to the one that has fewest.
#pragma once

#include <deque>
#include <map>
#include <stop_token>
#include <string>

#include "host/base/error.hpp"
#include "host/os/fair_places.hpp"
#include "host/policy/limits.hpp"

namespace toolhost::call {

class Throttle {
public:
    using Time = std::chrono::steady_clock::time_point;

    // At most limit.calls of the principal within any window. Milliseconds to wait if it is one too
    // many, else 0.
    [[nodiscard]] std::int64_t admit(const std::string& principal, const policy::RateLimit& limit,
                                     Time now);

    // Waits for one of `at_once` places, as os::FairPlaces gives them. None: the deadline passed or
    // the call was cancelled first.
    [[nodiscard]] os::FairPlaces::Place enter(const std::string& principal, std::uint32_t at_once,
                                              const os::Deadline& deadline,
                                              const std::stop_token& cancel) {
        return places_.enter(principal, {at_once}, deadline, cancel);
    }

    // How many principals are remembered for their rate, and how many calls wait for a place.
    [[nodiscard]] std::size_t principals() const;
    [[nodiscard]] std::size_t waiting() const { return places_.waiting(); }

private:
    struct Principal {
        std::deque<Time> admitted;
        Time window_end{};  // of the last one that was admitted
    };
    [[nodiscard]] Principal& of(const std::string& principal, Time now) REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::map<std::string, Principal> principals_ GUARDED_BY(mutex_);
    // So many are remembered before the idle ones are forgotten.
    std::size_t forget_at_ GUARDED_BY(mutex_) = 64;
    os::FairPlaces places_;
};

}  // namespace toolhost::call
