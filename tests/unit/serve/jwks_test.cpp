#include "host/serve/door/jwks.hpp"

#include <stdlib.h>

#include <future>

#include "host/serve/door/key_cache.hpp"
#include "tests/loopback_issuer.hpp"
#include "tests/signing.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace std::chrono_literals;
using toolhost::test::key_set;
using toolhost::test::LoopbackIssuer;
using toolhost::test::make_certificate;
using toolhost::test::SigningKey;
using toolhost::test::TempFolder;

namespace {

std::string fetch_fault(const std::string& url, const FetchLimits& limits = {}) {
    const auto parsed = Url::parse(url);
    REQUIRE(parsed);
    const auto text = fetch(*parsed, {}, limits);
    return text ? "" : text.error().message;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

// What the system is told to trust for the time of a test.
struct Trust {
    explicit Trust(const std::string& file) { ::setenv("SSL_CERT_FILE", file.c_str(), 1); }
    ~Trust() { ::unsetenv("SSL_CERT_FILE"); }
    Trust(const Trust&) = delete;
    Trust& operator=(const Trust&) = delete;
};

// A cache with a clock that the test turns, over a source that it fills.
struct CacheStage {
    std::mutex mutex;
    std::string text;
    int fetches = 0;
    KeyCache::Clock::time_point now = KeyCache::Clock::time_point() + 1000h;
    KeyCache cache;

    CacheStage() : cache(options()) {}
    KeyCache::Options options() {
        KeyCache::Options out;
        out.patience = 60s;  // the end of a fetch is what is waited for
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

TEST_CASE("a URL is what it says, or none") {
    const auto url = Url::parse("https://login.example.com:8443/a/b?c=d");
    REQUIRE(url);
    CHECK(url->tls);
    CHECK(url->host == "login.example.com");
    CHECK(url->port == "8443");
    CHECK(url->target == "/a/b?c=d");
    CHECK(url->authority() == "login.example.com:8443");
    CHECK(Url::parse("http://h")->authority() == "h");
    CHECK(Url::parse("http://h")->target == "/");
    CHECK(Url::parse("http://h?x")->target == "/?x");
    CHECK(Url::parse("https://[::1]:9/")->host == "::1");
    CHECK(Url::parse("https://[::1]:9/")->authority() == "[::1]:9");
    for (const char* bad : {"",
                            "h",
                            "ftp://h/",
                            "http:/h",
                            "http://",
                            "http:///x",
                            "http://u@h/",
                            "http://u:p@h/",
                            "http://h:0/",
                            "http://h:65536/",
                            "http://h:/",
                            "http://h:8x/",
                            "http://h/#f",
                            "http://h/a b",
                            "http://h/a\r\nX: y",
                            "http://h\n/",
                            "http://[::1/",
                            "http://[x]/",
                            "http://[::1]x/",
                            "HTTP://h/",
                            "http://h\\@evil/",
                            "http://ex\xc3\xa4mple/"}) {
        CAPTURE(bad);
        CHECK_FALSE(Url::parse(bad));
    }
    for (const char* name : {"https://h/", "http://localhost/", "http://127.0.0.1/",
                             "http://127.9.9.9:1/", "http://[::1]/"})
        CHECK(Url::parse(name)->is_private());
    for (const char* name : {"http://h/", "http://localhost.evil.example/", "http://10.0.0.1/",
                             "http://127.0.0.1.evil.example/"})
        CHECK_FALSE(Url::parse(name)->is_private());
}

TEST_CASE("a document is fetched whole, or the fault is named") {
    LoopbackIssuer server;
    server.offer("/keys?a=b", "the text");
    CHECK(*fetch(*Url::parse(server.url("/keys?a=b")), {}) == "the text");
    CHECK(has(fetch_fault(server.url("/none")), "it answers 404"));
    server.offer("/moved", "", 302);
    CHECK(has(fetch_fault(server.url("/moved")), "a redirection, which is not followed"));
    server.offer("/large", std::string(5000, 'x'));
    CHECK(has(fetch_fault(server.url("/large"), {.time = 60s, .bytes = 4999}), "body limit"));
    CHECK(fetch_fault(server.url("/large"), {.time = 60s, .bytes = 5000}).empty());
    server.hold();
    CHECK(has(fetch_fault(server.url("/keys"), {.time = 50ms, .bytes = 100}),
              "no answer within 50 ms"));
}

TEST_CASE("nobody listens, and whoever stops waiting is not held up") {
    std::string gone;
    {
        const LoopbackIssuer server;
        gone = server.url("/keys");
    }
    CHECK(has(fetch_fault(gone), "refused"));

    LoopbackIssuer server;
    server.hold();
    std::stop_source stop;
    auto text = std::async(std::launch::async, [&] {
        return fetch(*Url::parse(server.url("/keys")), stop.get_token(), {.time = 600s});
    });
    server.await_asked("/keys", 1);
    stop.request_stop();
    CHECK_FALSE(text.get());
    CHECK_FALSE(fetch(*Url::parse(server.url("/keys")), stop.get_token(), {.time = 600s}));
}

TEST_CASE("over TLS only the right name by a trusted authority is heard") {
    const TempFolder folder;
    const auto right = make_certificate(folder.path(), "localhost");
    const auto wrong = make_certificate(folder.path(), "elsewhere.example");
    LoopbackIssuer server(right), impostor(wrong);
    for (auto* one : {&server, &impostor}) one->offer("/keys", "the text");
    {
        const Trust trust(right.chain_file);
        CHECK(*fetch(*Url::parse(server.url("/keys")), {}) == "the text");
        CHECK(has(fetch_fault(impostor.url("/keys")), "certificate verify failed"));
    }
    {
        const Trust trust(wrong.chain_file);  // trusted, and for another name
        CHECK(has(fetch_fault(impostor.url("/keys")), "certificate verify failed"));
        CHECK(has(fetch_fault(server.url("/keys")), "certificate verify failed"));
    }
    CHECK(server.asked("/keys") == 1);
    CHECK(impostor.asked("/keys") == 0);
}

TEST_CASE("an issuer's metadata is looked for where the standards have it") {
    CHECK(metadata_addresses("https://h") ==
          std::vector<std::string>{"https://h/.well-known/oauth-authorization-server",
                                   "https://h/.well-known/openid-configuration"});
    CHECK(metadata_addresses("https://h:1/a/") ==
          std::vector<std::string>{"https://h:1/.well-known/oauth-authorization-server/a",
                                   "https://h:1/.well-known/openid-configuration/a",
                                   "https://h:1/a/.well-known/openid-configuration"});
}

TEST_CASE("keys are read from a file, a URL, or where the issuer says") {
    LoopbackIssuer server;
    server.offer("/keys", "the keys");
    OAuth oauth;
    oauth.issuer = server.url("/tenant");
    oauth.jwks = server.url("/keys");
    CHECK(*read_jwks(oauth, {}) == "the keys");

    oauth.jwks = "";
    const auto fault = [&] {
        const auto text = read_jwks(oauth, {});
        return text ? "" : text.error().message;
    };
    CHECK(has(fault(), "it answers 404"));
    CHECK(has(fault(), "--oauth-jwks"));
    const auto offer = [&](const std::string& text) {
        server.offer("/tenant/.well-known/openid-configuration", text);
    };
    offer("nonsense");
    CHECK(has(fault(), "not a JSON object"));
    offer(dump({{"issuer", oauth.issuer}}));
    CHECK(has(fault(), "names no jwks_uri"));
    offer(dump({{"issuer", "https://other"}, {"jwks_uri", server.url("/keys")}}));
    CHECK(has(fault(), "of the issuer 'https://other'"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", "http://192.0.2.1/keys"}}));
    CHECK(has(fault(), "plain http"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", "file:///etc/passwd"}}));
    CHECK(has(fault(), "not an http(s) URL"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", server.url("/keys")}}));
    CHECK(*read_jwks(oauth, {}) == "the keys");

    const TempFolder folder;
    folder.write("keys.json", "from a file");
    oauth.jwks = folder / "keys.json";
    CHECK(is_jwks_file(oauth));
    CHECK(*read_jwks(oauth, {}) == "from a file");
    oauth.jwks = folder / "none.json";
    CHECK(has(fault(), "none.json: the issuer's keys cannot be read: No such file"));
}

TEST_CASE("an unknown key is asked for once in a while, and no more often") {
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
    // Who still has the older ones is not sent for newer.
    CHECK(stage.cache.after(first) == second);
    CHECK(stage.fetched() == 2);
}

TEST_CASE("a fetch that fails keeps the keys there are, for a day") {
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

TEST_CASE("old keys are asked for again, and nobody waits for that") {
    LoopbackIssuer server;
    const auto key = SigningKey::ed25519();
    server.offer("/keys", key_set({key.jwk("one")}));
    std::atomic<KeyCache::Clock::time_point> now = KeyCache::Clock::time_point() + 1000h;
    KeyCache::Options options;
    options.patience = 60s;
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
    server.await_asked("/keys", 2);  // it is being fetched
    CHECK(kid_of(cache.at_hand()) == "one");
    server.offer("/keys", key_set({key.jwk("two")}));
    server.let_go();
    CHECK(kid_of(cache.after(old)) == "two");
    CHECK(server.asked("/keys") == 2);

    cache.refresh();  // whenever it was fetched last
    server.await_asked("/keys", 3);
}

TEST_CASE("a cache that ends does not wait for a silent issuer") {
    LoopbackIssuer server;
    server.hold();
    {
        KeyCache::Options options;
        options.patience = 10ms;
        options.fetch = [&](const std::stop_token& stop) {
            return fetch(*Url::parse(server.url("/keys")), stop, {.time = 600s});
        };
        KeyCache cache(options);
        CHECK_FALSE(cache.after(nullptr));
        server.await_asked("/keys", 1);
    }
    CHECK(server.asked("/keys") == 1);
}
