// Connections without a token compete only with each other.
#include "tests/unit/serve/auth_stage.hpp"
#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;
using namespace std::chrono_literals;

namespace {

struct HttpAuthStage : HttpStage {
    TempFolder folder;
    const std::string ann = make_token();
    const std::string ask = mcp_post(initialize_text(), "Authorization: Bearer " + ann + "\r\n");

    HttpAuthStage() {
        http.authenticator = opened({.token_file = write_tokens(folder, line_of("ann", "-", ann))});
        http.limits.connections = 8;
    }
    // Returns after the first answer.
    [[nodiscard]] RawClient stranger() const {
        auto one = client();
        one.send(http_request("GET", "/healthz"));
        CHECK(one.read().status == 200);
        return one;
    }
};

}  // namespace

TEST_CASE("unauthenticated clients get half of the connections, and the oldest is closed") {
    HttpAuthStage stage;
    stage.serve();
    std::vector<RawClient> strangers;
    for (int i = 0; i < 4; ++i) strangers.push_back(stage.stranger());
    strangers.push_back(stage.stranger());
    CHECK(strangers[0].ends());
    for (int i = 1; i < 5; ++i)
        CHECK_FALSE(strangers[static_cast<std::size_t>(i)].receives_within(0));
    // More than the limit of connections: all of them are accepted.
    for (int i = 0; i < 20; ++i) strangers.push_back(stage.stranger());
}

TEST_CASE("unauthenticated clients do not displace authenticated ones") {
    HttpAuthStage stage;
    stage.serve();
    std::vector<RawClient> known;
    for (int i = 0; i < 7; ++i) {
        known.push_back(stage.client());
        known.back().send(stage.ask);
        CHECK(known.back().read().status == 200);
    }
    // Some send nothing, some stop within their headers, some get an answer and stay.
    std::vector<RawClient> strangers;
    for (int i = 0; i < 12; ++i) {
        strangers.push_back(stage.client());
        if (i % 3 == 1) strangers.back().send("POST /mcp HTTP/1.1\r\nHost: loc");
        if (i % 3 == 2) strangers.push_back(stage.stranger());
    }
    known.push_back(stage.client());
    known.back().send(stage.ask);
    CHECK(known.back().read().status == 200);
    for (auto& one : known) {
        one.send(stage.ask);
        CHECK(one.read().status == 200);
    }
    // Eight of eight: no session can make room.
    auto late = stage.client();
    CHECK(late.read().status == 503);
}

TEST_CASE("an unauthenticated client that reads no answers makes room too") {
    HttpAuthStage stage;
    stage.http.limits.connections = 2;
    stage.serve();
    auto known = stage.client();
    known.send(stage.ask);
    CHECK(known.read().status == 200);
    auto deaf = stage.client();
    deaf.shrink_receive_buffer();
    std::string many;
    for (int i = 0; i < 1000; ++i) many += http_request("GET", "/healthz");
    while (deaf.send(many, 200)) continue;
    auto next = stage.client();
    next.send(stage.ask);
    CHECK(next.read().status == 200);
}

TEST_CASE("the first headers have their own timeout, from the start of the connection") {
    HttpAuthStage stage;
    stage.http.limits.first_head = 300ms;
    stage.serve();
    const auto start = std::chrono::steady_clock::now();
    auto known = stage.client(), silent = stage.client(), slow = stage.client();
    known.send(stage.ask);
    CHECK(known.read().status == 200);
    slow.send("POST /mcp HTTP/1.1\r\n");
    CHECK(slow.read().status == 408);
    CHECK(silent.ends());
    CHECK(std::chrono::steady_clock::now() - start < 10s);
    // After an answer, the idle timeout and the request's body timeout apply.
    known.send(std::string_view(stage.ask).substr(0, stage.ask.size() - 5));
    CHECK_FALSE(known.receives_within(800));
    known.send(std::string_view(stage.ask).substr(stage.ask.size() - 5));
    CHECK(known.read().status == 200);
}

TEST_CASE("without required tokens no client is unauthenticated") {
    HttpAuthStage stage;
    stage.http.authenticator = nullptr;
    stage.http.limits.first_head = 1ms;
    stage.serve();
    std::vector<RawClient> clients;
    for (int i = 0; i < 8; ++i) clients.push_back(stage.stranger());
    CHECK_FALSE(clients[0].receives_within(600));
    auto late = stage.client();
    CHECK(late.read().status == 503);
}
