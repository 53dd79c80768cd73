#include "host/worker/signals.hpp"

#include <unistd.h>

#include <bit>
#include <climits>

namespace toolhost::worker {

// As with the bells of a ring: a sleeper counts itself before its last look, and who wakes it looks
// at the count after its own write.
void CallSignal::wake() {
    if (sleepers_.load() == 0) return;
    bell_.fetch_add(1);
    os::futex_wake(bell_, 1, os::FutexScope::shared);
}

bool CallSignal::withdraw(std::uint32_t lane) {
    return (lanes_.fetch_and(~(1u << lane)) & (1u << lane)) != 0;
}

void CallSignal::close() {
    closed_ = 1;
    bell_.fetch_add(1);
    os::futex_wake(bell_, INT_MAX, os::FutexScope::shared);
}

std::optional<std::uint32_t> CallSignal::take() {
    for (auto lanes = lanes_.load(); lanes != 0; lanes = lanes_.load()) {
        const auto from = next_.load(std::memory_order_relaxed) % kLanes;
        const auto first =
            static_cast<std::uint32_t>(std::countr_zero(std::rotr(lanes, static_cast<int>(from))));
        const auto lane = (from + first) % kLanes;
        const auto bit = 1u << lane;
        if ((lanes_.fetch_and(~bit) & bit) == 0) continue;  // another thread was faster
        next_.store(lane + 1, std::memory_order_relaxed);
        return lane;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> CallSignal::await(os::AdaptiveSpin& spin) {
    for (;;) {
        if (closed_.load() != 0) return std::nullopt;
        if (const auto lane = take()) return lane;
        if (spin.until([this] { return there(); })) continue;
        const auto start = spin.now();
        const auto heard = bell_.load();
        ++sleepers_;
        if (!there()) os::futex_wait(bell_, heard, std::nullopt, os::FutexScope::shared);
        --sleepers_;
        spin.slept(spin.now() - start);
    }
}

void AnswerSignal::wake(int bell) {
    if (host_sleeps_.load() == 0 || host_sleeps_.exchange(0) == 0) return;
    const std::uint64_t one = 1;
    // A plugin may have closed it: the host then finds the answer when it looks for late calls.
    [[maybe_unused]] const auto written = ::write(bell, &one, sizeof one);
}

}  // namespace toolhost::worker
