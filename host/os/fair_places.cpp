#include "host/os/fair_places.hpp"

#include "host/os/timed_wait.hpp"

namespace toolhost::os {

FairPlaces::Place FairPlaces::enter(std::string_view principal, Most most, const Deadline& deadline,
                                    const std::stop_token& cancel) {
    MutexLock lock(mutex_);
    const auto own = find_or_add(principal);
    if (waiters_.empty() && !ended_ && is_free(own->second, most)) return take(own);
    ++own->second.waiting;
    const auto waiter = waiters_.insert(waiters_.end(), {&own->second, most});
    const auto is_next = [&]() REQUIRES(mutex_) {
        return ended_ || next_waiter() == Waiters::const_iterator(waiter);
    };
    const bool entered = wait_for(changed_, lock, deadline, cancel, is_next) && !ended_;
    waiters_.erase(waiter);
    --own->second.waiting;
    auto place = entered ? take(own) : Place();
    if (!entered) forget_if_idle(own);
    // Another one may be next now.
    if (!waiters_.empty()) changed_.notify_all();
    return place;
}

FairPlaces::Place FairPlaces::try_enter(std::string_view principal, Most most) {
    MutexLock lock(mutex_);
    const auto own = find_or_add(principal);
    if (waiters_.empty() && !ended_ && is_free(own->second, most)) return take(own);
    forget_if_idle(own);
    return {};
}

void FairPlaces::end() {
    {
        MutexLock lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
}

std::size_t FairPlaces::taken_by(std::string_view principal) const {
    MutexLock lock(mutex_);
    const auto known = principals_.find(principal);
    return known == principals_.end() ? 0 : known->second.running;
}

std::size_t FairPlaces::waiting() const {
    MutexLock lock(mutex_);
    return waiters_.size();
}

FairPlaces::Principals::iterator FairPlaces::find_or_add(std::string_view principal) {
    const auto known = principals_.find(principal);
    return known != principals_.end() ? known
                                      : principals_.try_emplace(std::string(principal)).first;
}

FairPlaces::Place FairPlaces::take(Principals::iterator principal) {
    ++running_;
    ++principal->second.running;
    return {this, principal};
}

bool FairPlaces::is_free(const Principal& of, Most most) const {
    return running_ < most.all && (principals_.size() < 2 || of.running < most.own);
}

// The end: no free place for any waiting call.
FairPlaces::Waiters::const_iterator FairPlaces::next_waiter() const {
    auto next = waiters_.end();
    for (auto it = waiters_.begin(); it != waiters_.end(); ++it)
        if (is_free(*it->of, it->most) &&
            (next == waiters_.end() || it->of->running < next->of->running))
            next = it;
    return next;
}

void FairPlaces::forget_if_idle(Principals::iterator principal) {
    if (principal->second.running == 0 && principal->second.waiting == 0)
        principals_.erase(principal);
}

void FairPlaces::leave(Principals::iterator principal) {
    bool is_awaited = false;
    {
        MutexLock lock(mutex_);
        --running_;
        --principal->second.running;
        forget_if_idle(principal);
        is_awaited = !waiters_.empty();
    }
    if (is_awaited) changed_.notify_all();
}

}  // namespace toolhost::os
