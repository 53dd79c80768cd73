// Which lanes have something for the other side, and how that side is woken for it. In shared
// memory: the host takes what a worker writes there as a hint, never as a fact.
#pragma once

#include <cstdint>
#include <optional>

#include "host/os/adaptive_spin.hpp"
#include "host/os/futex.hpp"

namespace toolhost::worker {

inline constexpr std::uint32_t kLanes = 32;

// To the worker: lanes with a call that none of its threads has taken yet.
class CallSignal {
public:
    // The host's side. A call that was announced is found when the worker is awake, or woken.
    void announce(std::uint32_t lane) { lanes_.fetch_or(1u << lane); }
    void wake();
    // False: a thread of the worker has taken it.
    [[nodiscard]] bool withdraw(std::uint32_t lane);
    // No more calls: await() returns nothing.
    void close();

    // The worker's side, from any thread: waits for a call and takes it.
    [[nodiscard]] std::optional<std::uint32_t> await(os::AdaptiveSpin& spin);
    [[nodiscard]] bool any() const { return lanes_.load() != 0; }

private:
    [[nodiscard]] std::optional<std::uint32_t> take();
    [[nodiscard]] bool there() const { return lanes_.load() != 0 || closed_.load() != 0; }

    alignas(64) std::atomic<std::uint32_t> lanes_;
    std::atomic<std::uint32_t> closed_;
    std::atomic<std::uint32_t> sleepers_;
    std::atomic<std::uint32_t> next_;  // where the search begins, so that each lane has its turn
    os::FutexWord bell_;
};

// To the host: lanes with a message that no thread of the host waits for.
class AnswerSignal {
public:
    // The worker's side. `bell` is an event descriptor.
    void announce(std::uint32_t lane) { lanes_.fetch_or(1u << lane); }
    void wake(int bell);

    // The host's side.
    [[nodiscard]] std::uint32_t lanes() const { return lanes_.load(); }
    void take(std::uint32_t lane) { lanes_.fetch_and(~(1u << lane)); }
    // The bell rings once for answers that come from now on.
    void expect_wake() { host_sleeps_ = 1; }

private:
    alignas(64) std::atomic<std::uint32_t> lanes_;
    std::atomic<std::uint32_t> host_sleeps_;
};

}  // namespace toolhost::worker
