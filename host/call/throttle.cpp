#include "host/call/throttle.hpp"

#include <algorithm>

#include "host/os/timed_wait.hpp"

namespace toolhost::call {

std::int64_t Throttle::admit(const std::string& principal, const policy::RateLimit& limit,
                             Time now) {
    const std::chrono::milliseconds window(limit.window_ms);
    if (limit.calls == 0) return limit.window_ms;
    MutexLock lock(mutex_);
    auto& own = of(principal, now);
    auto& admitted = own.admitted;
    while (!admitted.empty() && admitted.front() + window <= now) admitted.pop_front();
    if (admitted.size() < limit.calls) {
        admitted.push_back(now);
        own.window_end = now + window;
        return 0;
    }
    const auto free = admitted[admitted.size() - limit.calls] + window;
    return std::chrono::ceil<std::chrono::milliseconds>(free - now).count();
}

std::size_t Throttle::principals() const {
    MutexLock lock(mutex_);
    return principals_.size();
}

// Under the lock. An OAuth issuer may have any number of subjects, so idle ones are forgotten.
Throttle::Principal& Throttle::of(const std::string& principal, Time now) {
    if (principals_.size() >= forget_at_) {
        std::erase_if(principals_,
                      [&](const auto& entry) { return entry.second.window_end <= now; });
        forget_at_ = std::max<std::size_t>(64, 2 * principals_.size());
    }
    return principals_[principal];
}

}  // namespace toolhost::call
