// What each principal holds of the server's limits, so that one of them cannot take all.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "host/base/mutex.hpp"
#include "host/serve/principal.hpp"

namespace toolhost::serve {

struct Usage {
    std::atomic<std::size_t> calls{0};        // that run
    std::atomic<std::size_t> connections{0};  // over HTTP whose last request showed its token
    std::atomic<std::size_t> bytes{0};        // of bodies and unread answers
    std::atomic<std::size_t> kept{0};         // bytes of events for clients that may come back

    [[nodiscard]] bool is_idle() const {
        return calls == 0 && connections == 0 && bytes == 0 && kept == 0;
    }
};
using UsagePtr = std::shared_ptr<Usage>;

// By the principal's name. Thread-safe.
class Usages {
public:
    [[nodiscard]] UsagePtr of(const Principal& principal);
    // Of all principals together; `kept` alone is counted there.
    [[nodiscard]] const UsagePtr& all() const { return all_; }
    // How many are remembered.
    [[nodiscard]] std::size_t size() const;

private:
    void forget_idle() REQUIRES(mutex_);

    const UsagePtr all_ = std::make_shared<Usage>();
    mutable Mutex mutex_;
    std::unordered_map<std::string, UsagePtr> by_name_ GUARDED_BY(mutex_);
    // So many are remembered before the idle ones are forgotten.
    std::size_t forget_at_ GUARDED_BY(mutex_) = 64;
};

// Takes one of a limited number; false: there are `most` already.
[[nodiscard]] bool take_one(std::atomic<std::size_t>& count, std::size_t most);

}  // namespace toolhost::serve
