// One principal cannot use all of the server's resources.
#include "tests/unit/serve/auth_stage.hpp"
#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

namespace {

struct ShareStage : HttpStage {
    TempFolder folder;
    const std::string ann = make_token(), bob = make_token();

    ShareStage() { admit(line_of("ann", "-", ann) + line_of("bob", "-", bob)); }

    void admit(const std::string& lines) {
        http.authenticator = opened({.token_file = write_tokens(folder, lines)});
    }
    static std::string line(const std::string& token) {
        return "Authorization: Bearer " + token + "\r\n";
    }
    [[nodiscard]] static std::string call(const std::string& token) {
        return mcp_post(request_line(1, "tools/call", R"({"name":"t",)" + kAlone + "}"),
                        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                        "Mcp-Name: t\r\n" +
                            line(token));
    }
    [[nodiscard]] static std::string initialize(const std::string& token) {
        return mcp_post(initialize_text(), line(token));
    }
    [[nodiscard]] static std::string listen(const std::string& token) {
        return mcp_post(
            request_line(1, "subscriptions/listen",
                         R"({"notifications":{"toolsListChanged":true},)" + kAlone + "}"),
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n" +
                line(token));
    }
};

}  // namespace

TEST_CASE("one principal cannot have all sessions, and ending its own makes room") {
    ShareStage stage;
    stage.http.sessions = 4;
    stage.serve();
    auto opener = stage.client();
    std::string session;
    for (int i = 0; i < 2; ++i) {
        opener.send(ShareStage::initialize(stage.ann));
        const auto answer = opener.read();
        CHECK(answer.status == 200);
        session = answer.header("mcp-session-id");
    }
    opener.send(ShareStage::initialize(stage.ann));
    const auto refused = opener.read();
    CHECK(refused.status == 503);
    CHECK_FALSE(refused.header("retry-after").empty());
    CHECK(stage.status_of(ShareStage::initialize(stage.bob)) == 200);
    CHECK(stage.status_of(http_request(
              "DELETE", "/mcp",
              "Mcp-Session-Id: " + session + "\r\n" + ShareStage::line(stage.ann))) == 204);
    CHECK(stage.status_of(ShareStage::initialize(stage.ann)) == 200);
}

TEST_CASE("one principal cannot have all calls") {
    ShareStage stage;
    WaitingTool tool(stage);
    tool.speaks = false;
    stage.calls = 2;
    stage.serve();
    auto first = stage.client(), second = stage.client(), other = stage.client();
    first.send(ShareStage::call(stage.ann));
    tool.begun.wait();
    second.send(ShareStage::call(stage.ann));
    const auto refused = second.read();
    CHECK(refused.status == 429);
    CHECK_FALSE(refused.header("retry-after").empty());
    CHECK(says(refused.body, "too many concurrent calls of this client (1)"));
    other.send(ShareStage::call(stage.bob));
    CHECK_FALSE(other.receives_within(100));  // it is running
    tool.released = true;
    CHECK(first.read().status == 200);
    CHECK(other.read().status == 200);
    second.send(ShareStage::call(stage.ann));
    CHECK(second.read().status == 200);
}

TEST_CASE("one principal's streams cannot use all connections") {
    ShareStage stage;
    stage.http.limits.connections = 6;
    stage.serve();
    std::vector<RawClient> streams;
    for (int i = 0; i < 3; ++i) {
        streams.push_back(stage.client());
        streams.back().send(ShareStage::listen(stage.ann));
        CHECK(streams.back().read_head().status == 200);
    }
    {
        auto more = stage.client();
        more.send(ShareStage::listen(stage.ann));
        const auto refused = more.read();
        CHECK(refused.status == 429);
        CHECK(says(refused.body, "(3)"));
        CHECK_FALSE(refused.header("retry-after").empty());
    }
    CHECK(stage.status_of(ShareStage::initialize(stage.bob)) == 200);
    // Closing one allows another.
    streams.pop_back();
    int status = 0;
    for (int i = 0; i < 1000 && status != 200; ++i)
        status = stage.status_of(ShareStage::initialize(stage.ann));
    CHECK(status == 200);
}

TEST_CASE("one principal cannot have all streams, and an ended one makes room") {
    ShareStage stage;
    stage.streams = 4;
    stage.serve();
    std::vector<RawClient> streams;
    for (int i = 0; i < 2; ++i) {
        streams.push_back(stage.client());
        streams.back().send(ShareStage::listen(stage.ann));
        CHECK(streams.back().read_head().status == 200);
    }
    auto more = stage.client();
    more.send(ShareStage::listen(stage.ann));
    const auto refused = more.read();
    CHECK(refused.status == 429);
    CHECK(says(refused.body, "too many streams of this client (2)"));
    CHECK_FALSE(refused.header("retry-after").empty());
    auto other = stage.client();
    other.send(ShareStage::listen(stage.bob));
    CHECK(other.read_head().status == 200);
    streams.pop_back();
    int status = 0;
    for (int i = 0; i < 1000 && status != 200; ++i) {
        auto again = stage.client();
        again.send(ShareStage::listen(stage.ann));
        status = again.read_head().status;
    }
    CHECK(status == 200);
}

TEST_CASE("one principal's idle connections cannot use all") {
    ShareStage stage;
    stage.http.limits.connections = 6;
    stage.serve();
    std::vector<RawClient> idle;
    for (int i = 0; i < 3; ++i) {
        idle.push_back(stage.client());
        idle.back().send(ShareStage::initialize(stage.ann));
        CHECK(idle.back().read().status == 200);
    }
    auto more = stage.client();
    more.send(ShareStage::initialize(stage.ann));
    const auto refused = more.read();
    CHECK(refused.status == 429);
    CHECK(says(refused.body, "too many connections of this client at once (3)"));
    CHECK(more.ends());
    auto other = stage.client();
    other.send(ShareStage::initialize(stage.bob));
    CHECK(other.read().status == 200);
    // A connection counts for its last request, because a proxy may use one for several principals.
    idle[0].send(ShareStage::initialize(stage.bob));
    CHECK(idle[0].read().status == 200);
    other.send(ShareStage::initialize(stage.ann));
    CHECK(other.read().status == 200);
    idle[0].send(ShareStage::initialize(stage.ann));
    CHECK(idle[0].read().status == 429);
}

TEST_CASE("the connections of a refused token count as unauthenticated") {
    for (const bool asks : {true, false}) {
        CAPTURE(asks);
        ShareStage stage;
        stage.http.limits.connections = 6;
        stage.serve();
        std::vector<RawClient> anns;
        for (int i = 0; i < 3; ++i) {
            anns.push_back(stage.client());
            anns.back().send(ShareStage::initialize(stage.ann));
            CHECK(anns.back().read().status == 200);
            anns.back().send(asks ? ShareStage::initialize("none")
                                  : http_request("GET", "/healthz"));
            CHECK(anns.back().read().status == (asks ? 401 : 200));
        }
        // Her three are unauthenticated by now, and the first one is closed.
        auto stranger = stage.client();
        stranger.send(http_request("GET", "/healthz"));
        CHECK(stranger.read().status == 200);
        CHECK(anns[0].ends());
        // They no longer count for her.
        std::vector<RawClient> fresh;
        for (int i = 0; i < 3; ++i) {
            fresh.push_back(stage.client());
            fresh.back().send(ShareStage::initialize(stage.ann));
            CHECK(fresh.back().read().status == 200);
        }
    }
}

TEST_CASE("one principal's bodies cannot use all memory") {
    constexpr std::size_t kBody = 256u << 10;
    ShareStage stage;
    stage.http.limits.body_bytes = kBody;
    stage.http.limits.held_bytes = 4 * kBody;
    stage.serve();
    const auto request = mcp_post(std::string(kBody, ' '), ShareStage::line(stage.ann));
    const std::string_view unfinished(request.data(), request.size() - 1000);
    std::vector<RawClient> senders;
    for (int i = 0; i < 3; ++i) {
        senders.push_back(stage.client());
        (void)senders.back().send(unfinished);
    }
    int refused = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (refused == 0 && std::chrono::steady_clock::now() < end)
        for (auto& sender : senders)
            if (sender.receives_within(10) && sender.read().status == 503) ++refused;
    CHECK(refused == 1);
    CHECK(stage.status_of(mcp_post(std::string(kBody - 1000, ' ') + HttpStage::initialize_text(),
                                   ShareStage::line(stage.bob))) == 200);
}

TEST_CASE("a single principal may use everything") {
    ShareStage stage;
    stage.admit(line_of("ann", "-", stage.ann) + line_of("prometheus", "@metrics", stage.bob));
    stage.http.sessions = 2;
    stage.serve();
    for (const int status : {200, 200, 503})
        CHECK(stage.status_of(ShareStage::initialize(stage.ann)) == status);
}

TEST_CASE("the stored events of one principal's streams are limited") {
    const auto own = std::make_shared<Usage>(), all = std::make_shared<Usage>();
    {
        EventStream first(1, {own, all, 1000, 5000}), second(2, {own, all, 1000, 5000});
        for (int i = 0; i < 10; ++i) first.push(std::string(300, 'x'));
        CHECK(own->kept <= 1000);
        CHECK(first.bytes() == own->kept);
        second.push(std::string(900, 'x'));
        CHECK(own->kept <= 1000);
        CHECK(all->kept == own->kept);
    }
    CHECK(own->kept == 0);
    CHECK(all->kept == 0);
}

TEST_CASE("principals without resources are removed") {
    Usages usages;
    const auto held = usages.of({"held", ""});
    held->calls = 1;
    for (int i = 0; i < 1000; ++i) (void)usages.of({"p" + std::to_string(i), ""});
    CHECK(usages.size() < 200);
    CHECK(usages.of({"held", "other"}) == held);
}
