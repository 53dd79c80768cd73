#include "tests/unit/http_request/fetching.hpp"

using namespace http_tool;
using namespace http_tool::test;

namespace {

// The first `times` requests get `status`, later ones 200.
Server::Handler busy(int status, int times, const std::string& headers = "") {
    auto count = std::make_shared<std::atomic<int>>(0);
    return [=](const ReceivedRequest&, Wire& wire) {
        const bool first = (*count)++ < times;
        wire.answer(first ? status : 200, first ? headers : "", first ? "busy" : "done");
    };
}

}  // namespace

TEST_CASE("a request to a busy server is retried") {
    for (const int status : {502, 503, 504}) {
        Server server(busy(status, 2));
        const auto response = good(fetch(request("GET", server.url()), loopback_rules(), quiet()));
        CHECK(response.body == "done");
        CHECK(response.retries == 2);
    }
    Server never(busy(503, 100));
    const auto response = good(fetch(request("GET", never.url()), loopback_rules(), quiet()));
    CHECK(response.head.status == 503);
    CHECK(never.asked().size() == 4);
}

TEST_CASE("no retries for other statuses, or for requests that may write twice") {
    for (const int status : {400, 404, 429, 500, 501}) {
        Server server(busy(status, 1));
        CHECK(good(fetch(request("GET", server.url()), loopback_rules(), quiet())).head.status ==
              status);
        CHECK(server.asked().size() == 1);
    }
    for (const char* method : {"POST", "PATCH"}) {
        Server server(busy(503, 1));
        CHECK(good(fetch(request(method, server.url()), loopback_rules(), quiet())).head.status ==
              503);
        CHECK(server.asked().size() == 1);
    }
    for (const char* method : {"PUT", "DELETE", "HEAD", "OPTIONS"}) {
        Server server(busy(503, 1));
        CHECK(good(fetch(request(method, server.url()), loopback_rules(), quiet())).retries == 1);
    }
}

TEST_CASE("the server's Retry-After applies") {
    Server soon(busy(503, 1, "Retry-After: 0\r\n"));
    auto made = request("GET", soon.url());
    made.backoff = std::chrono::seconds(10);  // the server's value takes precedence
    CHECK(good(fetch(made, loopback_rules(), quiet())).retries == 1);
    Server late(busy(503, 1, "Retry-After: 3600\r\n"));
    const auto start = Clock::now();
    CHECK(good(fetch(request("GET", late.url()), loopback_rules(), quiet())).head.status == 503);
    CHECK(Clock::now() - start < std::chrono::seconds(5));
    CHECK(late.asked().size() == 1);
}

TEST_CASE("a dropped connection is retried if it is safe") {
    auto handler = [](const std::shared_ptr<std::atomic<int>>& count) {
        return [count](const ReceivedRequest&, Wire& wire) {
            if ((*count)++ == 0)
                wire.close();
            else
                wire.answer(200, "", "done");
        };
    };
    Server server(handler(std::make_shared<std::atomic<int>>(0)));
    CHECK(good(fetch(request("GET", server.url()), loopback_rules(), quiet())).body == "done");
    Server once(handler(std::make_shared<std::atomic<int>>(0)));
    CHECK(contains(failed(fetch(request("POST", once.url()), loopback_rules(), quiet())),
                   "without a response"));
    CHECK(once.asked().size() == 1);
    // No listener: nothing was sent, so a POST is retried too.
    Rules rules = loopback_rules();
    rules.allowed_ports = {1};
    CHECK(contains(failed(fetch(request("POST", "http://127.0.0.1:1/"), rules, quiet())),
                   "(tried 4 times)"));
}

TEST_CASE("a wait that exceeds the clock's range exceeds the deadline") {
    for (const char* seconds : {"9223372036854775807", "9223372036854775", "9223372037"}) {
        Server server(busy(503, 1, "Retry-After: " + std::string(seconds) + "\r\n"));
        const auto response = good(fetch(request("GET", server.url()), loopback_rules(), quiet()));
        CAPTURE(std::string(seconds));
        CHECK(response.head.status == 503);
        CHECK(server.asked().size() == 1);
    }
}
