#include "host/serve/auth/key_cache.hpp"

#include <spdlog/spdlog.h>

namespace toolhost::serve {

KeyCache::KeyCache(Options options) : options_(std::move(options)) {}

KeyCache::~KeyCache() = default;

Result<KeyCache::Keys> KeyCache::fetched(const std::stop_token& stop) const {
    auto text = options_.fetch(stop);
    if (!text) return text.error();
    auto keys = read_key_set(*text);
    if (!keys) return keys.error();
    return std::make_shared<const KeySet>(*std::move(keys));
}

// With the lock held, as are all below that do not take it.
void KeyCache::take(Keys keys) {
    keys_ = std::move(keys);
    fetched_at_ = options_.now();
}

void KeyCache::begin_fetch() {
    // The thread before it has nothing left to do, so that joining it takes no time.
    fetcher_ = std::jthread([this](const std::stop_token& stop) { run_fetch(stop); });
    begun_at_ = options_.now();
    begun_ = fetching_ = true;
}

void KeyCache::run_fetch(const std::stop_token& stop) {
    auto keys = fetched(stop);
    if (!keys && !stop.stop_requested())
        spdlog::warn("cannot fetch the keys of the OAuth issuer: {}", keys.error().message);
    MutexLock lock(mutex_);
    if (keys) take(*std::move(keys));
    fetching_ = false;
    ended_.notify_all();
}

KeyCache::Keys KeyCache::at_hand() {
    MutexLock lock(mutex_);
    const auto now = options_.now();
    const bool may_begin = !fetching_ && (!begun_ || now - begun_at_ >= options_.pause);
    if (may_begin && (!keys_ || now - fetched_at_ >= options_.fresh)) begin_fetch();
    if (keys_ && now - fetched_at_ >= options_.lasting) keys_ = nullptr;
    return keys_;
}

KeyCache::Keys KeyCache::after(const Keys& seen) {
    MutexLock lock(mutex_);
    if (keys_ && keys_ != seen) return keys_;
    if (!fetching_) {
        if (begun_ && options_.now() - begun_at_ < options_.pause) return nullptr;
        begin_fetch();
    }
    ended_.wait_for(lock.native(), options_.timeout, [&]() REQUIRES(mutex_) { return !fetching_; });
    return keys_ != seen ? keys_ : nullptr;
}

void KeyCache::refresh() {
    MutexLock lock(mutex_);
    if (!fetching_) begin_fetch();
}

Result<void> KeyCache::load() {
    auto keys = fetched({});
    if (!keys) return keys.error();
    MutexLock lock(mutex_);
    take(*std::move(keys));
    return {};
}

}  // namespace toolhost::serve
