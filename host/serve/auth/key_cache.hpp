// Caches an issuer's keys. A lookup returns the cached keys; fetching happens on
// another thread, and only a lookup of a newer key waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "host/base/mutex.hpp"
#include "host/serve/auth/jwk.hpp"

namespace toolhost::serve {

class KeyCache {
public:
    using Clock = std::chrono::steady_clock;
    struct Options {
        std::function<Result<std::string>(const std::stop_token&)> fetch;
        // Between two beginnings of a fetch: tokens of strangers name unknown keys as they like.
        std::chrono::seconds pause{30};
        // Older keys are asked for again in the background, so that a withdrawn one goes.
        std::chrono::seconds fresh{600};
        // Keys that could not be refreshed for this time are no longer trusted.
        std::chrono::seconds lasting{86400};
        // The maximum wait for a fetch.
        std::chrono::milliseconds timeout{3000};
        std::function<Clock::time_point()> now = [] { return Clock::now(); };
    };
    explicit KeyCache(Options options);
    ~KeyCache();  // ends a fetch that runs
    KeyCache(const KeyCache&) = delete;
    KeyCache& operator=(const KeyCache&) = delete;

    using Keys = std::shared_ptr<const KeySet>;
    // What is there; null: nothing. Never waits for a fetch.
    [[nodiscard]] Keys at_hand();
    // Keys that came after `seen`, waited for if need be. Null: there are none, and none may be
    // fetched so soon.
    [[nodiscard]] Keys after(const Keys& seen);
    // Asks for them again in the background, whenever that was done last.
    void refresh();
    // The same at once, on the caller's thread.
    [[nodiscard]] Result<void> load();

private:
    [[nodiscard]] Result<Keys> fetched(const std::stop_token& stop) const;
    void take(Keys keys) REQUIRES(mutex_);
    void begin_fetch() REQUIRES(mutex_);
    void run_fetch(const std::stop_token& stop);

    const Options options_;
    Mutex mutex_;
    std::condition_variable ended_;
    Keys keys_ GUARDED_BY(mutex_);
    Clock::time_point fetched_at_ GUARDED_BY(mutex_){}, begun_at_ GUARDED_BY(mutex_){};
    bool begun_ GUARDED_BY(mutex_) = false, fetching_ GUARDED_BY(mutex_) = false;
    std::jthread fetcher_;  // last: it uses all of the above
};

}  // namespace toolhost::serve
