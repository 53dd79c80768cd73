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

Throttle::Place::~Place() {
    if (!throttle_) return;
    {
        MutexLock lock(throttle_->mutex_);
        --throttle_->running_;
        --of_->running;
    }
    throttle_->changed_.notify_all();
}

Throttle::Place Throttle::enter(const std::string& principal, std::uint32_t at_once,
                                const os::Deadline& deadline, const std::stop_token& cancel) {
    MutexLock lock(mutex_);
    auto& own = of(principal, std::chrono::steady_clock::now());
    ++own.waiting;
    const auto waiter = waiters_.insert(waiters_.end(), {&own, at_once});
    const auto is_next = [&]() REQUIRES(mutex_) {
        return next_waiter() == Waiters::const_iterator(waiter);
    };
    const bool entered = os::wait_for(changed_, lock, deadline, cancel, is_next);
    waiters_.erase(waiter);
    --own.waiting;
    if (entered) {
        ++running_;
        ++own.running;
    }
    // Another one may be next now.
    if (!waiters_.empty()) changed_.notify_all();
    return entered ? Place(this, &own) : Place();
}

std::size_t Throttle::principals() const {
    MutexLock lock(mutex_);
    return principals_.size();
}

std::size_t Throttle::waiting() const {
    MutexLock lock(mutex_);
    return waiters_.size();
}

// An OAuth issuer may have any number of subjects, so idle ones are forgotten.
Throttle::Principal& Throttle::of(const std::string& principal, Time now) {
    if (principals_.size() >= forget_at_) {
        std::erase_if(principals_, [&](const auto& entry) {
            const auto& one = entry.second;
            return one.running == 0 && one.waiting == 0 && one.window_end <= now;
        });
        forget_at_ = std::max<std::size_t>(64, 2 * principals_.size());
    }
    return principals_[principal];
}

// The end: no free place for any waiting call.
Throttle::Waiters::const_iterator Throttle::next_waiter() const {
    auto next = waiters_.end();
    for (auto it = waiters_.begin(); it != waiters_.end(); ++it)
        if (running_ < it->at_once &&
            (next == waiters_.end() || it->of->running < next->of->running))
            next = it;
    return next;
}

}  // namespace toolhost::call
