#include "host/call/throttle.hpp"

namespace toolhost::call {

std::int64_t Throttle::admit(const policy::RateLimit& limit, Time now) {
    const std::chrono::milliseconds window(limit.window_ms);
    std::lock_guard lock(mutex_);
    while (!admitted_.empty() && admitted_.front() + window <= now) admitted_.pop_front();
    if (admitted_.size() < limit.calls) {
        admitted_.push_back(now);
        return 0;
    }
    if (limit.calls == 0) return limit.window_ms;
    auto free = admitted_[admitted_.size() - limit.calls] + window;
    return std::chrono::ceil<std::chrono::milliseconds>(free - now).count();
}

Throttle::Place::~Place() {
    if (!throttle_) return;
    {
        std::lock_guard lock(throttle_->mutex_);
        --throttle_->running_;
    }
    throttle_->left_.notify_one();
}

Throttle::Place Throttle::enter(std::uint32_t at_once, const runtime::Deadline& deadline,
                                const std::stop_token& cancel) {
    std::unique_lock lock(mutex_);
    auto is_free = [&] { return running_ < at_once; };
    bool entered = deadline ? left_.wait_until(lock, cancel, *deadline, is_free)
                            : left_.wait(lock, cancel, is_free);
    if (!entered) return {};
    ++running_;
    return Place(this);
}

}  // namespace toolhost::call
