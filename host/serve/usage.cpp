#include "host/serve/usage.hpp"

#include <algorithm>

namespace toolhost::serve {

UsagePtr Usages::of(const Principal& principal) {
    MutexLock lock(mutex_);
    auto& usage = by_name_[principal.name];
    if (usage) return usage;
    usage = std::make_shared<Usage>();
    const auto made = usage;
    // An OAuth issuer may have any number of subjects.
    if (by_name_.size() > forget_at_) forget_idle();
    return made;
}

void Usages::forget_idle() {
    std::erase_if(by_name_, [](const auto& entry) {
        return entry.second.use_count() == 1 && entry.second->is_idle();
    });
    forget_at_ = std::max<std::size_t>(64, 2 * by_name_.size());
}

std::size_t Usages::size() const {
    MutexLock lock(mutex_);
    return by_name_.size();
}

bool take_one(std::atomic<std::size_t>& count, std::size_t most) {
    auto now = count.load();
    while (now < most)
        if (count.compare_exchange_weak(now, now + 1)) return true;
    return false;
}

}  // namespace toolhost::serve
