#include "tests/unit/http_request/fetching.hpp"

using namespace http_tool;
using namespace http_tool::test;

namespace {

// "/307" etc. redirect to `to` with that status; other paths echo the request.
Server::Handler redirecting(const std::string& to = "/end") {
    return [to](const ReceivedRequest& asked, Wire& wire) {
        const int status = std::atoi(asked.target.c_str() + 1);
        if (status >= 300 && status < 400)
            wire.answer(status, "Location: " + to + "\r\n", "moved");
        else
            wire.answer(200, "", asked.method + ' ' + asked.body);
    };
}

}  // namespace

TEST_CASE("the method after a redirect") {
    Server server(redirecting());
    struct Case {
        const char *method, *path, *arrives;
    };
    for (const auto& [method, path, arrives] : {Case{"GET", "/301", "GET "},
                                                {"POST", "/301", "GET "},
                                                {"PUT", "/301", "PUT b"},
                                                {"POST", "/302", "GET "},
                                                {"DELETE", "/302", "DELETE b"},
                                                {"POST", "/303", "GET "},
                                                {"PUT", "/303", "GET "},
                                                {"POST", "/307", "POST b"},
                                                {"POST", "/308", "POST b"},
                                                {"PATCH", "/307", "PATCH b"}}) {
        auto made = request(method, server.url(path));
        if (std::string(method) != "GET") {
            made.body = "b";
            made.headers = {{"Content-Type", "text/plain"}, {"X-Kept", "1"}};
        }
        const auto response = good(fetch(made, loopback_rules(), quiet()));
        const std::string asked = std::string(method) + path;
        CAPTURE(asked);
        CHECK(response.body == arrives);
        REQUIRE(response.redirects.size() == 1);
        CHECK(response.redirects[0].url == server.url("/end"));
        const ReceivedRequest last = server.asked().back();
        CHECK((last.header("Content-Type").empty()) == (last.body.empty()));
        if (made.body) CHECK(last.header("X-Kept") == "1");
    }
    const auto head = good(fetch(request("HEAD", server.url("/303")), loopback_rules(), quiet()));
    CHECK(server.asked().back().method == "HEAD");
    CHECK(head.redirects.size() == 1);
}

TEST_CASE("responses that are not redirects") {
    Server server([](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/304")
            wire.send("HTTP/1.1 304 Not Modified\r\nLocation: /x\r\n\r\n");
        else
            wire.answer(asked.target == "/300" ? 300 : 302,
                        asked.target == "/300" ? "Location: /x\r\n" : "", "stays");
    });
    for (const char* path : {"/300", "/302", "/304"})
        CHECK(good(fetch(request("GET", server.url(path)), loopback_rules(), quiet()))
                  .redirects.empty());
    Server off(redirecting());
    auto made = request("GET", off.url("/302"));
    made.follow_redirects = false;
    CHECK(good(fetch(made, loopback_rules(), quiet())).head.status == 302);
    CHECK(off.asked().size() == 1);
}

TEST_CASE("another origin sees no secret") {
    Server other(
        [](const ReceivedRequest& asked, Wire& wire) { wire.answer(200, "", asked.head); });
    Server server(redirecting(other.url("/end")));
    auto made = request("GET", server.url("/302"));
    made.headers = {{"Authorization", "Bearer t"},
                    {"X-API-Key", "k"},
                    {"Cookie", "c=1"},
                    {"Accept", "text/plain"}};
    made.credentials = {Credentials::Kind::basic, "u", "p", ""};
    const auto response = good(fetch(made, loopback_rules(), quiet()));
    for (const char* secret : {"Authorization", "X-API-Key", "Cookie"})
        CHECK_MESSAGE(response.body.find(secret) == std::string::npos, std::string(secret));
    CHECK(contains(response.body, "Accept: text/plain"));
    CHECK(server.asked()[0].header("X-API-Key") == "k");

    Server same(redirecting("/end"));
    made = request("GET", same.url("/302"));
    made.headers = {{"X-API-Key", "k"}};
    good(fetch(made, loopback_rules(), quiet()));
    CHECK(same.asked().back().header("X-API-Key") == "k");
}

TEST_CASE("a request that writes is not repeated elsewhere") {
    Server other([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "leaked"); });
    Server server(redirecting(other.url("/end")));
    for (const char* path : {"/307", "/308"}) {
        auto made = request("POST", server.url(path));
        made.body = "private";
        const auto response = good(fetch(made, loopback_rules(), quiet()));
        CHECK(response.head.status == std::atoi(path + 1));
        REQUIRE(response.notes.size() == 1);
        CHECK(contains(response.notes[0], "POST is not repeated to another origin"));
    }
    CHECK(other.connections() == 0);
    // As a GET without its body it may be sent.
    auto made = request("POST", server.url("/303"));
    made.body = "private";
    CHECK(good(fetch(made, loopback_rules(), quiet())).body == "leaked");
    CHECK(other.asked().back().body.empty());
}

TEST_CASE("every rule holds at every redirect") {
    Server secret([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", "secret"); },
                  nullptr, "127.0.0.2");
    struct Case {
        std::string to, reason;
    };
    Rules rules = loopback_rules();
    rules.denied_hosts = {"denied.example"};
    for (const auto& [to, reason] : {Case{secret.url(), "address_not_allowed"},
                                     {"file:///etc/passwd", "scheme_not_allowed"},
                                     {"ftp://127.0.0.1/", "scheme_not_allowed"},
                                     {"http://denied.example/", "host_not_allowed"},
                                     {"http://127.0.0.1:25/", "port_not_allowed"}}) {
        Server server(redirecting(to));
        const auto refusal = refused(fetch(request("GET", server.url("/302")), rules, quiet()));
        CHECK(refusal.reason == reason);
        CHECK(contains(refusal.message, "after a redirect to "));
    }
    CHECK(secret.connections() == 0);
    rules = loopback_rules();
    rules.allowed_methods = {"POST"};
    Server server(redirecting());
    CHECK(refused(fetch(request("POST", server.url("/303")), rules, quiet())).reason ==
          "method_not_allowed");
}

TEST_CASE("loops and invalid redirects end") {
    Server circle(redirecting("/302"));
    auto made = request("GET", circle.url("/302"));
    made.max_redirects = 5;
    CHECK(contains(failed(fetch(made, loopback_rules(), quiet())), "more than 5 redirects"));
    CHECK(circle.asked().size() == 6);
    made.max_redirects = 0;
    CHECK(contains(failed(fetch(made, loopback_rules(), quiet())), "more than 0 redirects"));
    Server nonsense(redirecting("http://[bad"));
    CHECK(contains(failed(fetch(request("GET", nonsense.url("/302")), loopback_rules(), quiet())),
                   "is not a URL"));
}

TEST_CASE("the body of a redirect does not count towards the limit") {
    std::string moved;
    Server server([&](const ReceivedRequest& asked, Wire& wire) {
        if (asked.target == "/end") return wire.answer(200, "", "four");
        wire.answer(302, "Location: /end\r\n", moved);
    });
    Rules rules = loopback_rules();
    rules.max_body_bytes = 4;
    for (const std::size_t size : {5u, 100u << 10, 8u << 20}) {
        moved.assign(size, 'm');
        auto made = request("GET", server.url("/"));
        CHECK(good(fetch(made, rules, quiet())).body == "four");
        made.follow_redirects = false;
        CHECK(refused(fetch(made, rules, quiet())).reason == "body_too_large");
    }
}
