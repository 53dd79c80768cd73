#include "host/serve/auth/key_cache.hpp"

#include "host/serve/auth/fetch.hpp"
#include "tests/loopback_issuer.hpp"
#include "tests/signing.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace std::chrono_literals;
using namespace toolhost::test;

namespace {

// A cache with the test's clock and source.
struct CacheStage {
    std::mutex mutex;
    std::string text;
    int fetches = 0;
    KeyCache::Clock::time_point now = KeyCache::Clock::time_point() + 1000h;
    KeyCache cache;

    CacheStage() : cache(options()) {}
    KeyCache::Options options() {
        KeyCache::Options out;
        out.timeout = 60s;  // the tests wait for the end of fetches
        out.fetch = [this](const std::stop_token&) -> Result<std::string> {
            std::lock_guard lock(mutex);
            ++fetches;
            if (text.empty()) return Error{ErrorCode::invalid_input, "out of reach", {}};
            return text;
        };
        out.now = [this] {
            std::lock_guard lock(mutex);
            return now;
        };
        return out;
    }
    void fill(const std::string& kid) {
        static const auto key = SigningKey::ed25519();
        std::lock_guard lock(mutex);
        text = kid.empty() ? "" : key_set({key.jwk(kid)});
    }
    void pass(std::chrono::seconds time) {
        std::lock_guard lock(mutex);
        now += time;
    }
    int fetched() {
        std::lock_guard lock(mutex);
        return fetches;
    }
};

std::string kid_of(const KeyCache::Keys& keys) {
    return keys ? keys->at(0)->kid() : "none";
}

}  // namespace

TEST_CASE("an unknown key is fetched at a limited rate") {
    CacheStage stage;
    stage.fill("one");
    const auto first = stage.cache.after(nullptr);
    CHECK(kid_of(first) == "one");
    CHECK(kid_of(stage.cache.at_hand()) == "one");

    stage.fill("two");
    for (int i = 0; i < 50; ++i) CHECK_FALSE(stage.cache.after(first));
    CHECK(stage.fetched() == 1);
    stage.pass(29s);
    CHECK_FALSE(stage.cache.after(first));
    stage.pass(1s);
    const auto second = stage.cache.after(first);
    CHECK(kid_of(second) == "two");
    CHECK(stage.fetched() == 2);
    // A caller with older keys gets the cached ones without a fetch.
    CHECK(stage.cache.after(first) == second);
    CHECK(stage.fetched() == 2);
}

TEST_CASE("after a failed fetch the old keys are kept for a day") {
    CacheStage stage;
    CHECK(kid_of(stage.cache.after(nullptr)) == "none");
    CHECK(kid_of(stage.cache.after(nullptr)) == "none");
    CHECK(stage.fetched() == 1);
    stage.pass(30s);
    stage.fill("one");
    const auto keys = stage.cache.after(nullptr);
    CHECK(kid_of(keys) == "one");

    stage.fill("");
    stage.pass(30s);
    CHECK_FALSE(stage.cache.after(keys));
    CHECK(stage.fetched() == 3);
    CHECK(kid_of(stage.cache.at_hand()) == "one");
    stage.pass(24h - 60s);
    CHECK(kid_of(stage.cache.at_hand()) == "one");
    stage.pass(60s);
    CHECK(kid_of(stage.cache.at_hand()) == "none");
}

TEST_CASE("old keys are fetched again in the background") {
    LoopbackIssuer server;
    const auto key = SigningKey::ed25519();
    server.offer("/keys", key_set({key.jwk("one")}));
    std::atomic<KeyCache::Clock::time_point> now = KeyCache::Clock::time_point() + 1000h;
    KeyCache::Options options;
    options.timeout = 60s;
    options.fetch = [&](const std::stop_token& stop) {
        return fetch(*Url::parse(server.url("/keys")), stop, {.time = 600s});
    };
    options.now = [&] { return now.load(); };
    KeyCache cache(options);
    REQUIRE(cache.load());
    CHECK(kid_of(cache.at_hand()) == "one");
    CHECK(server.asked("/keys") == 1);

    server.hold();
    now = now.load() + 600s;
    const auto old = cache.at_hand();
    CHECK(kid_of(old) == "one");
    server.await_asked("/keys", 2);  // the fetch is in progress
    CHECK(kid_of(cache.at_hand()) == "one");
    server.offer("/keys", key_set({key.jwk("two")}));
    server.release();
    CHECK(kid_of(cache.after(old)) == "two");
    CHECK(server.asked("/keys") == 2);

    cache.refresh();  // whenever the last fetch was
    server.await_asked("/keys", 3);
}

TEST_CASE("a destroyed cache does not wait for a silent issuer") {
    LoopbackIssuer server;
    server.hold();
    {
        KeyCache::Options options;
        options.timeout = 10ms;
        options.fetch = [&](const std::stop_token& stop) {
            return fetch(*Url::parse(server.url("/keys")), stop, {.time = 600s});
        };
        KeyCache cache(options);
        CHECK_FALSE(cache.after(nullptr));
        server.await_asked("/keys", 1);
    }
    CHECK(server.asked("/keys") == 1);
}
