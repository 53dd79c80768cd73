// How often and how many at once: the limits a profile sets for one tool. The rate is each
// principal's own. Places are one number for all principals, and go to the one that has fewest.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <stop_token>
#include <string>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"
#include "host/policy/limits.hpp"

namespace toolhost::call {

class Throttle {
public:
    using Time = std::chrono::steady_clock::time_point;

private:
    struct Principal {
        std::deque<Time> admitted;
        Time window_end{};  // of the last one that was admitted
        std::uint32_t running = 0, waiting = 0;
    };

public:
    // At most limit.calls of the principal within any window. Milliseconds to wait if it is one too
    // many, else 0.
    [[nodiscard]] std::int64_t admit(const std::string& principal, const policy::RateLimit& limit,
                                     Time now);

    // A place among those that run at once.
    class Place {
    public:
        Place() = default;
        Place(Throttle* throttle, Principal* of) : throttle_(throttle), of_(of) {}
        Place(Place&& other) noexcept
            : throttle_(std::exchange(other.throttle_, nullptr)), of_(other.of_) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(throttle_, other.throttle_);
            std::swap(of_, other.of_);
            return *this;
        }
        ~Place();
        explicit operator bool() const { return throttle_ != nullptr; }

    private:
        Throttle* throttle_ = nullptr;
        Principal* of_ = nullptr;
    };
    // Waits for one of `at_once` places. One that is free goes to the principal that has fewest,
    // and of those to the call that has waited longest. No place: the deadline passed or the call
    // was cancelled first.
    [[nodiscard]] Place enter(const std::string& principal, std::uint32_t at_once,
                              const os::Deadline& deadline, const std::stop_token& cancel);

    // How many principals are remembered, and how many calls wait for a place.
    [[nodiscard]] std::size_t principals() const;
    [[nodiscard]] std::size_t waiting() const;

private:
    struct Waiter {
        const Principal* of;
        std::uint32_t at_once;
    };
    using Waiters = std::list<Waiter>;
    [[nodiscard]] Principal& of(const std::string& principal, Time now) REQUIRES(mutex_);
    [[nodiscard]] Waiters::const_iterator next_waiter() const REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, Principal> principals_ GUARDED_BY(mutex_);
    // So many are remembered before the idle ones are forgotten.
    std::size_t forget_at_ GUARDED_BY(mutex_) = 64;
    Waiters waiters_ GUARDED_BY(mutex_);  // in the order they came
    std::uint32_t running_ GUARDED_BY(mutex_) = 0;
};

}  // namespace toolhost::call
