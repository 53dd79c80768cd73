#include "tests/unit/http_request/fetching.hpp"

using namespace http_tool;
using namespace http_tool::test;

TEST_CASE("every method arrives, with its body and headers") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        wire.answer(200, "X-Method: " + asked.method + "\r\n",
                    asked.method == "HEAD" ? "" : asked.body);
    });
    for (const char* method : {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}) {
        auto made = request(method, server.url("/p?q=1"));
        made.headers = {{"X-One", "1"}, {"X-Empty", ""}};
        if (std::string(method) != "HEAD") made.body = "b\u00f6dy";
        const auto response = good(fetch(made, loopback_rules(), quiet()));
        CHECK(response.head.status == 200);
        CHECK(response.head.reason == "Said");
        CHECK(header(response.head.headers, "X-METHOD") == method);
        CHECK(response.body == made.body.value_or(""));
        CHECK(response.address == "127.0.0.1");
        const ReceivedRequest asked = server.asked().back();
        CHECK(asked.target == "/p?q=1");
        CHECK(asked.header("X-One") == "1");
        CHECK(contains(asked.head, "X-Empty:"));
        CHECK(asked.header("Content-Type").empty());
        CHECK(asked.header("Expect").empty());
        CHECK(contains(asked.header("User-Agent"), "toolhost"));
    }
    good(fetch(request("POST", server.url()), loopback_rules(), quiet()));
    CHECK(server.asked().back().header("Content-Length") == "0");
}

TEST_CASE("bodies in all forms") {
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xcb\x48\xcd\xc9\xc9\x07\x00"
        "\x86\xa6\x10\x36\x05\x00\x00\x00",
        25);
    Server server([&](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/chunked") {
            wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            wire.send("2\r\nde\r\n0\r\n\r\n");
        } else if (asked.target == "/gzip") {
            wire.answer(200, "Content-Encoding: gzip\r\n", packed);
        } else if (asked.target == "/old") {
            wire.send("HTTP/1.0 200 OK\r\n\r\nuntil the end");
            wire.close();
        } else if (asked.target == "/interim") {
            wire.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n");
            wire.answer(200, "", "after");
        } else if (asked.target == "/twice") {
            wire.send("HTTP/1.1 204\r\nX-A: one\r\nX-A: two\r\n\r\n");
        }
    });
    auto body = [&](const char* path) {
        return good(fetch(request("GET", server.url(path)), loopback_rules(), quiet())).body;
    };
    CHECK(body("/chunked") == "abcde");
    CHECK(body("/gzip") == "hello");
    CHECK(body("/old") == "until the end");
    CHECK(body("/interim") == "after");
    const auto twice = good(fetch(request("GET", server.url("/twice")), loopback_rules(), quiet()));
    CHECK(twice.head.reason.empty());
    CHECK(twice.head.headers.size() == 2);
}

TEST_CASE("a body that is too large is refused, declared or not, compressed or not") {
    Rules rules = loopback_rules();
    rules.max_body_bytes = 1000;
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/announced")
            wire.answer(200, "", std::string(1001, 'x'));
        else if (asked.target == "/fits")
            wire.answer(200, "", std::string(1000, 'x'));
        else {
            wire.send("HTTP/1.1 200 OK\r\n\r\n");
            wire.send(std::string(100000, 'x'));
            wire.close();
        }
    });
    CHECK(good(fetch(request("GET", server.url("/fits")), rules, quiet())).body.size() == 1000);
    const auto announced = refused(fetch(request("GET", server.url("/announced")), rules, quiet()));
    CHECK(announced.reason == "body_too_large");
    CHECK(contains(announced.message, "has 1001 bytes; max_body_bytes allows 1000"));
    const auto endless = refused(fetch(request("GET", server.url("/endless")), rules, quiet()));
    CHECK(contains(endless.message, "more than 1000 bytes"));
}

TEST_CASE("an address that is not allowed is refused before anything is sent") {
    Server server([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "secret"); },
                  nullptr, "127.0.0.2");
    const auto refusal = refused(fetch(request("GET", server.url()), loopback_rules(), quiet()));
    CHECK(refusal.reason == "address_not_allowed");
    CHECK(contains(refusal.message, "127.0.0.2, which is loopback"));
    CHECK(server.connections() == 0);
}

TEST_CASE("a resolver that changes its mind finds a closed door") {
    Server open([](const ReceivedRequest&, Wire& wire) {
        wire.answer(302, "Location: /second\r\nConnection: close\r\n", "");
        wire.close();
    });
    Server secret([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "secret"); },
                  nullptr, "127.0.0.2", open.port());
    int asked = 0;
    FetchObserver observer = quiet();
    observer.resolve = [&](const Url&) {
        return std::vector<std::string>{asked++ == 0 ? "127.0.0.1" : "127.0.0.2"};
    };
    const std::string name = "http://rebinding.example:" + std::to_string(open.port()) + "/";
    const auto refusal = refused(fetch(request("GET", name), loopback_rules(), observer));
    CHECK(asked == 2);
    CHECK(refusal.reason == "address_not_allowed");
    CHECK(contains(refusal.message, "after a redirect to http://rebinding.example"));
    CHECK(open.connections() == 1);
    CHECK(secret.connections() == 0);
}

TEST_CASE("of several addresses, one that is allowed is taken") {
    Server server([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "here"); });
    FetchObserver observer = quiet();
    observer.resolve = [](const Url&) {
        return std::vector<std::string>{"127.0.0.2", "127.0.0.1"};
    };
    const std::string name = "http://two.example:" + std::to_string(server.port()) + "/";
    CHECK(good(fetch(request("GET", name), loopback_rules(), observer)).address == "127.0.0.1");
}

TEST_CASE("basic, digest and AWS signatures") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        const std::string authorization = asked.header("Authorization");
        if (asked.target == "/digest" && authorization.rfind("Digest ", 0) != 0)
            wire.answer(401, "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n",
                        "first");
        else
            wire.answer(200, "", authorization);
    });
    auto made = request("GET", server.url("/basic"));
    made.credentials = {Credentials::Kind::basic, "user", "p\u00e4ss:w", ""};
    CHECK(good(fetch(made, loopback_rules(), quiet())).body == "Basic dXNlcjpww6Rzczp3");
    made = request("GET", server.url("/digest"));
    made.credentials = {Credentials::Kind::digest, "user", "password", ""};
    const auto digest = good(fetch(made, loopback_rules(), quiet()));
    CHECK(digest.head.status == 200);
    CHECK(contains(digest.body, "username=\"user\", realm=\"r\", nonce=\"n\", uri=\"/digest\""));
    made = request("GET", server.url("/aws"));
    made.credentials = {Credentials::Kind::aws, "AKID", "secret", "aws:amz:eu-west-1:s3"};
    const auto aws = good(fetch(made, loopback_rules(), quiet()));
    CHECK(contains(aws.body, "AWS4-HMAC-SHA256 Credential=AKID/"));
    CHECK(contains(aws.body, "/eu-west-1/s3/aws4_request"));
}

TEST_CASE("cookies go where they belong, and come back within a call") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/")
            wire.answer(302, "Location: /next\r\nSet-Cookie: fresh=1\r\n", "");
        else
            wire.answer(200, "", asked.header("Cookie"));
    });
    auto made = request("GET", server.url());
    made.cookies = {"127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\tyes",
                    "other.example\tFALSE\t/\tFALSE\t0\tforeign\tno"};
    const auto response = good(fetch(made, loopback_rules(), quiet()));
    CHECK(contains(response.body, "mine=yes"));
    CHECK(contains(response.body, "fresh=1"));
    CHECK_FALSE(response.body.find("foreign") != std::string::npos);
    CHECK(good(fetch(request("GET", server.url("/next")), loopback_rules(), quiet())).body.empty());
}

TEST_CASE("parts of the last response alone are streamed, with their progress") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/")
            wire.answer(302, "Location: /busy\r\n", "first");
        else if (asked.target == "/busy")
            wire.answer(302, "Location: /last\r\n", "second");
        else
            wire.answer(200, "", "third");
    });
    FetchObserver observer = quiet();
    std::string seen;
    observer.part = [&](const Head& head, std::string_view part) {
        CHECK(head.status == 200);
        seen += part;
        return true;
    };
    CHECK(good(fetch(request("GET", server.url()), loopback_rules(), observer)).body == "third");
    CHECK(seen == "third");
    observer.part = [](const Head&, std::string_view) { return false; };
    CHECK(std::holds_alternative<Cancelled>(
        fetch(request("GET", server.url()), loopback_rules(), observer)));
}

TEST_CASE("a cancel is obeyed at once, whatever is waited for") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/body") wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab");
        if (asked.target == "/busy")
            wire.answer(503, "Retry-After: 10\r\n", "");
        else
            wire.await_gone();
    });
    for (const char* path : {"/head", "/body", "/busy"}) {
        FetchObserver observer = quiet();
        Clock::time_point cancelled_at{};
        observer.cancelled = [&] {
            if (server.asked().empty() || server.asked().back().target != path) return false;
            if (cancelled_at == Clock::time_point{}) cancelled_at = Clock::now();
            return Clock::now() - cancelled_at > std::chrono::milliseconds(50);
        };
        const auto result = fetch(request("GET", server.url(path)), loopback_rules(), observer);
        CHECK_MESSAGE(std::holds_alternative<Cancelled>(result), std::string(path));
        CHECK(Clock::now() - cancelled_at < std::chrono::milliseconds(150));
    }
}

TEST_CASE("errors say what happened and what to do") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/slow") return wire.await_gone();
        if (asked.target == "/cut") wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        if (asked.target == "/cut-chunk")
            wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
        if (asked.target == "/gzip")
            return wire.answer(200, "Content-Encoding: gzip\r\n", "no gzip at all");
        if (asked.target == "/not-http") wire.send("220 mail.example ESMTP\r\n");
        if (asked.target == "/heads")
            for (int i = 0; i < 10; ++i)
                wire.send((i ? "X: " : "HTTP/1.1 200 OK\r\nX: ") + std::string(30000, 'x') +
                          "\r\n");
        wire.close();
    });
    auto trouble = [&](const char* path) {
        auto made = request("GET", server.url(path));
        made.max_retries = 0;
        if (std::string(path) == "/slow")
            made.deadline = Clock::now() + std::chrono::milliseconds(100);
        CAPTURE(std::string(path));
        return failed(fetch(made, loopback_rules(), quiet()));
    };
    CHECK(contains(trouble("/slow"), "timed out"));
    CHECK(contains(trouble("/slow"), "larger timeout"));
    CHECK(contains(trouble("/cut"), "cut before the end of the body"));
    CHECK(contains(trouble("/cut-chunk"), "cut"));
    CHECK(contains(trouble("/gzip"), "Accept-Encoding: identity"));
    CHECK(contains(trouble("/not-http"), "speak HTTP"));
    CHECK(contains(trouble("/none"), "without a response"));
    CHECK(contains(trouble("/heads"), "could not be processed"));
    auto made = request("GET", "http://127.0.0.1:1/");
    Rules rules = loopback_rules();
    rules.allowed_ports = {1};
    made.max_retries = 0;
    CHECK(contains(failed(fetch(made, rules, quiet())), "no connection"));
}

TEST_CASE("a denied address is denied by every name") {
    Server server([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "secret"); });
    Rules rules = loopback_rules();
    FetchObserver observer = quiet();
    observer.resolve = [](const Url&) { return std::vector<std::string>{"127.0.0.1"}; };
    const auto made = request("GET", "http://some.example:" + std::to_string(server.port()) + "/");
    CHECK(good(fetch(made, rules, observer)).body == "secret");
    const int before = server.connections();
    for (const char* denied : {"127.0.0.1", "127.*", "127.0.0.0/8"}) {
        rules.denied_hosts = {denied};
        CHECK(refused(fetch(made, rules, observer)).reason == "host_not_allowed");
    }
    CHECK(server.connections() == before);
}
