// The kernel's wait-on-a-word, and the short spin before it that saves the wait where the answer is
// about to come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace toolhost::runtime {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: for ever

using FutexWord = std::atomic<std::uint32_t>;

// Sleeps while the word has the value, until woken or the deadline; may wake without a reason.
void futex_wait(FutexWord& word, std::uint32_t value, const Deadline& deadline);
void futex_wake(FutexWord& word, int threads);

// True as soon as the word differs from the value, false after some microseconds. Never spins
// where there is no second core to change it.
[[nodiscard]] bool spin_while(const FutexWord& word, std::uint32_t value);

}  // namespace toolhost::runtime
