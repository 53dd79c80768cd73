#include "host/os/futex.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <thread>

namespace toolhost::os {
namespace {

constexpr std::chrono::microseconds kSpin{20};

// FUTEX_WAIT_BITSET takes a point in time, so a wait that wakes early does not start anew.
long wait_bitset(FutexWord& word, std::uint32_t value, const timespec* until, FutexScope scope) {
    const int operation =
        scope == FutexScope::shared ? FUTEX_WAIT_BITSET : FUTEX_WAIT_BITSET_PRIVATE;
    return ::syscall(SYS_futex, &word, operation, value, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

std::int64_t milliseconds_left(const Deadline& deadline) {
    if (!deadline) return -1;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        *deadline - std::chrono::steady_clock::now());
    return std::max<std::int64_t>(left.count(), 0);
}

// Errors are ignored: after EAGAIN, EINTR and ETIMEDOUT the caller checks the word again.
void futex_wait(FutexWord& word, std::uint32_t value, const Deadline& deadline, FutexScope scope) {
    if (!deadline) {
        wait_bitset(word, value, nullptr, scope);
        return;
    }
    // libstdc++'s steady_clock is CLOCK_MONOTONIC, which is what the kernel compares with.
    auto since_boot = deadline->time_since_epoch();
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_boot);
    timespec until{};
    until.tv_sec = static_cast<time_t>(seconds.count());
    until.tv_nsec = static_cast<long>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since_boot - seconds).count());
    wait_bitset(word, value, &until, scope);
}

void futex_wake(FutexWord& word, int threads, FutexScope scope) {
    const int operation = scope == FutexScope::shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE;
    ::syscall(SYS_futex, &word, operation, threads, nullptr, nullptr, 0);
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// The cores that this process may use, not those that the machine has.
bool can_spin() {
    static const bool several = [] {
        cpu_set_t cores;
        if (::sched_getaffinity(0, sizeof cores, &cores) != 0)
            return std::thread::hardware_concurrency() > 1;  // more cores than the set has bits
        return CPU_COUNT(&cores) > 1;
    }();
    return several;
}

bool spin_while(const FutexWord& word, std::uint32_t value) {
    if (!can_spin()) return word.load(std::memory_order_acquire) != value;
    const auto end = std::chrono::steady_clock::now() + kSpin;
    do {
        for (int i = 0; i < 32; ++i) {
            if (word.load(std::memory_order_acquire) != value) return true;
            relax();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

}  // namespace toolhost::os
