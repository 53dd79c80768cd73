#include "host/serve/used_states.hpp"

namespace toolhost::serve {

void UsedStates::forget_expired(std::int64_t now) {
    while (!by_end_.empty() && by_end_.begin()->first < now) {
        const auto& used = by_end_.begin()->second;
        nonces_.erase(used.nonce);
        if (auto count = per_principal_.find(used.principal); --count->second == 0)
            per_principal_.erase(count);
        by_end_.erase(by_end_.begin());
    }
}

UsedStates::Taken UsedStates::take(const std::string& nonce, const std::string& principal,
                                   std::int64_t until, std::int64_t now) {
    MutexLock lock(mutex_);
    forget_expired(now);
    if (nonces_.contains(nonce)) return Taken::before;
    if (nonces_.size() >= bounds_.in_all) return Taken::no_room;
    const auto count = per_principal_.find(principal);
    if (count != per_principal_.end() && count->second >= bounds_.per_principal)
        return Taken::no_room;
    nonces_.insert(nonce);
    by_end_.insert({until, {nonce, principal}});
    ++per_principal_[principal];
    return Taken::now;
}

}  // namespace toolhost::serve
