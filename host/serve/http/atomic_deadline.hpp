// A time by which something must have happened, which any thread may look at.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace toolhost::serve {

class AtomicDeadline {
public:
    using Clock = std::chrono::steady_clock;

    void set(std::chrono::milliseconds from_now) { due_ = as_ms(Clock::now() + from_now); }
    void clear() { due_ = 0; }
    [[nodiscard]] bool is_due(Clock::time_point now) const {
        const auto due = due_.load();
        return due != 0 && as_ms(now) >= due;
    }

private:
    static std::int64_t as_ms(Clock::time_point time) {
        return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch())
            .count();
    }

    std::atomic<std::int64_t> due_{0};  // 0: none
};

}  // namespace toolhost::serve
