// How often and how many at once: the bounds a profile sets for one tool.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>

#include "host/policy/knobs.hpp"
#include "host/registry/error.hpp"
#include "host/runtime/futex.hpp"

namespace toolhost::call {

class Throttle {
public:
    using Time = std::chrono::steady_clock::time_point;

    // At most limit.calls within any window. Milliseconds to wait if it is one too many, else 0.
    [[nodiscard]] std::int64_t admit(const policy::RateLimit& limit, Time now);

    // A place among those that run at once. It waits for one to become free.
    class Place {
    public:
        Place() = default;
        explicit Place(Throttle* throttle) : throttle_(throttle) {}
        Place(Place&& other) noexcept : throttle_(std::exchange(other.throttle_, nullptr)) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(throttle_, other.throttle_);
            return *this;
        }
        ~Place();
        explicit operator bool() const { return throttle_ != nullptr; }

    private:
        Throttle* throttle_ = nullptr;
    };
    // No place: the deadline passed or the call was cancelled first.
    [[nodiscard]] Place enter(std::uint32_t at_once, const runtime::Deadline& deadline,
                              const std::stop_token& cancel);

private:
    std::mutex mutex_;
    std::condition_variable_any left_;
    std::deque<Time> admitted_;
    std::uint32_t running_ = 0;
};

}  // namespace toolhost::call
