#include "host/serve/auth/fetch.hpp"

#include <stdlib.h>

#include <future>

#include "tests/certificate.hpp"
#include "tests/loopback_issuer.hpp"
#include "tests/unit/serve/auth_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace std::chrono_literals;
using namespace toolhost::test;

namespace {

std::string fetch_fault(const std::string& url, const FetchLimits& limits = {}) {
    const auto parsed = Url::parse(url);
    REQUIRE(parsed);
    const auto text = fetch(*parsed, {}, limits);
    return text ? "" : text.error().message;
}

// Sets the system's trusted certificates during a test.
struct Trust {
    explicit Trust(const std::string& file) { ::setenv("SSL_CERT_FILE", file.c_str(), 1); }
    ~Trust() { ::unsetenv("SSL_CERT_FILE"); }
    Trust(const Trust&) = delete;
    Trust& operator=(const Trust&) = delete;
};

}  // namespace

TEST_CASE("URLs are parsed strictly") {
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

TEST_CASE("a document is fetched completely, or the error is named") {
    LoopbackIssuer server;
    server.offer("/keys?a=b", "the text");
    CHECK(*fetch(*Url::parse(server.url("/keys?a=b")), {}) == "the text");
    CHECK(says(fetch_fault(server.url("/none")), "it responds with 404"));
    server.offer("/moved", "", 302);
    CHECK(says(fetch_fault(server.url("/moved")), "a redirect, which is not followed"));
    server.offer("/large", std::string(5000, 'x'));
    CHECK(says(fetch_fault(server.url("/large"), {.time = 60s, .bytes = 4999}), "body limit"));
    CHECK(fetch_fault(server.url("/large"), {.time = 60s, .bytes = 5000}).empty());
    server.hold();
    CHECK(says(fetch_fault(server.url("/keys"), {.time = 50ms, .bytes = 100}),
               "no response within 50 ms"));
}

TEST_CASE("a refused connection fails, and a cancelled fetch returns at once") {
    std::string gone;
    {
        const LoopbackIssuer server;
        gone = server.url("/keys");
    }
    CHECK(says(fetch_fault(gone), "refused"));

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

TEST_CASE("over TLS only the right name of a trusted authority is accepted") {
    const TempFolder folder;
    const auto right = make_certificate(folder.path(), "localhost");
    const auto wrong = make_certificate(folder.path(), "elsewhere.example");
    LoopbackIssuer server(right), impostor(wrong);
    for (auto* one : {&server, &impostor}) one->offer("/keys", "the text");
    {
        const Trust trust(right.chain_file);
        CHECK(*fetch(*Url::parse(server.url("/keys")), {}) == "the text");
        CHECK(says(fetch_fault(impostor.url("/keys")), "certificate verify failed"));
    }
    {
        const Trust trust(wrong.chain_file);  // trusted, but for another name
        CHECK(says(fetch_fault(impostor.url("/keys")), "certificate verify failed"));
        CHECK(says(fetch_fault(server.url("/keys")), "certificate verify failed"));
    }
    CHECK(server.asked("/keys") == 1);
    CHECK(impostor.asked("/keys") == 0);
}
