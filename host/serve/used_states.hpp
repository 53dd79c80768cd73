// Which request states were used already. A state says what a human allowed, so it is taken once:
// another request with it is a replay, or a retry of one that runs already.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "host/base/mutex.hpp"

namespace toolhost::serve {

class UsedStates {
public:
    struct Bounds {
        std::size_t in_all = 1u << 17, per_principal = 1u << 15;
    };
    UsedStates() = default;
    explicit UsedStates(Bounds bounds) : bounds_(bounds) {}

    enum class Taken { now, before, no_room };
    // `nonce` names the state, which holds `until` then; times in seconds. What has expired is
    // forgotten, for it cannot be used any more; nothing else is.
    [[nodiscard]] Taken take(const std::string& nonce, const std::string& principal,
                             std::int64_t until, std::int64_t now);

private:
    struct Used {
        std::string nonce, principal;
        auto operator<=>(const Used&) const = default;
    };
    void forget_expired(std::int64_t now) REQUIRES(mutex_);

    const Bounds bounds_{};
    Mutex mutex_;
    std::set<std::string> nonces_ GUARDED_BY(mutex_);
    std::set<std::pair<std::int64_t, Used>> by_end_ GUARDED_BY(mutex_);
    std::map<std::string, std::size_t> per_principal_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::serve
