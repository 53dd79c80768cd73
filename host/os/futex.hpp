// The kernel's wait-on-a-word, and the short spin before it that saves the wait where the answer is
// about to come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace toolhost::os {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: no limit

// -1: none; else 0 or more.
[[nodiscard]] std::int64_t milliseconds_left(const Deadline& deadline);

using FutexWord = std::atomic<std::uint32_t>;

// The scope: threads of this process, or of any process that has the word mapped.
enum class FutexScope { process, shared };

// Sleeps while the word has the value, until woken or the deadline; may wake without a reason.
void futex_wait(FutexWord& word, std::uint32_t value, const Deadline& deadline,
                FutexScope scope = FutexScope::process);
void futex_wake(FutexWord& word, int threads, FutexScope scope = FutexScope::process);

// Tells the processor that this is a wait.
void relax();
// Whether there is a second core that could change a word while this one looks at it.
[[nodiscard]] bool can_spin();

// True as soon as the word differs from the value, false after some microseconds. Never spins
// where there is no second core to change it.
[[nodiscard]] bool spin_while(const FutexWord& word, std::uint32_t value);

}  // namespace toolhost::os
