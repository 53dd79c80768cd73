// How long to look for something before sleeping until it comes: a core that sleeps takes longer to
// wake than most tools run.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "host/os/futex.hpp"

namespace toolhost::os {

// A sleep that turns out to be short would have been better spent looking, so the next look is
// long; after a long sleep it is shorter. From any thread.
class AdaptiveSpin {
public:
    // True as soon as `there` is.
    template <class There>
    bool until(There there) {
        if (there()) return true;
        if (!can_spin()) return false;
        const auto end = Clock::now() + std::chrono::nanoseconds(budget_ns_.load(kRelaxed));
        do {
            for (int i = 0; i < 16; ++i) {
                if (there()) return true;
                relax();
            }
            std::this_thread::yield();  // whom we wait for may want this core
        } while (Clock::now() < end);
        return false;
    }
    // For slept(); without spinning, the clock is not read.
    [[nodiscard]] static std::chrono::steady_clock::time_point now() {
        return can_spin() ? Clock::now() : Clock::time_point();
    }
    void slept(std::chrono::nanoseconds time) {
        const auto shorter = std::max(budget_ns_.load(kRelaxed) / 2, kLeast);
        budget_ns_.store(time.count() < 4 * kMax ? kMax : shorter, kRelaxed);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t kMax = 50'000, kLeast = 2'000;
    static constexpr auto kRelaxed = std::memory_order_relaxed;
    std::atomic<std::int64_t> budget_ns_{kMax};
};

}  // namespace toolhost::os
