#include <thread>

#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;
using namespace std::chrono_literals;

TEST_CASE("the number of connections is limited, and a closed one makes room") {
    HttpStage stage;
    stage.http.limits.connections = 2;
    stage.serve();
    auto first = stage.client();
    auto second = stage.client();
    for (auto* client : {&first, &second}) {
        client->send(http_request("GET", "/healthz"));
        CHECK(client->read().status == 200);
    }
    auto third = stage.client();
    const auto refused = third.read();
    CHECK(refused.status == 503);
    CHECK(refused.body.find("too many connections (2)") != std::string::npos);
    third.close();
    first.close();
    // The server notices it asynchronously.
    int status = 0;
    for (int i = 0; i < 1000 && status != 200; ++i) {
        auto next = stage.client();
        next.send(http_request("GET", "/healthz"));
        status = next.read().status;
    }
    CHECK(status == 200);
}

TEST_CASE("the number of sessions is limited") {
    HttpStage stage;
    stage.http.sessions = 2;
    stage.serve();
    const auto first = stage.session_line();
    (void)stage.session_line();
    auto client = stage.client();
    client.send(mcp_post(HttpStage::initialize_text()));
    const auto refused = client.read();
    CHECK(refused.status == 503);
    CHECK_FALSE(refused.header("retry-after").empty());
    CHECK(Json::parse(refused.body)["error"]["code"] == rpc_code::kBusy);
    CHECK(Json::parse(refused.body)["id"] == 0);  // as in the request
    CHECK(stage.status_of(http_request("DELETE", "/mcp", first)) == 204);
    CHECK(stage.status_of(mcp_post(HttpStage::initialize_text())) == 200);
}

TEST_CASE("a call during shutdown gets 503, and one too many 429") {
    HttpStage stage;
    WaitingTool tool(stage);
    tool.speaks = false;
    stage.calls = 1;
    stage.serve();
    auto caller = stage.client(), other = stage.client();
    caller.send(alone_call(1));
    tool.begun.wait();
    other.send(alone_call(2));
    const auto full = other.read();
    CHECK(full.status == 429);
    CHECK(Json::parse(full.body)["error"]["code"] == rpc_code::kBusy);
    stage.server->close();
    other.send(alone_call(3));
    const auto ending = other.read();
    CHECK(ending.status == 503);
    CHECK_FALSE(ending.header("retry-after").empty());
    CHECK(Json::parse(ending.body)["error"]["code"] == rpc_code::kBusy);
    CHECK(Json::parse(ending.body)["id"] == 3);
    tool.released = true;
    CHECK(caller.read().status == 200);
}

TEST_CASE("a server that stops sends its answers, and is not delayed by streams") {
    HttpStage stage;
    WaitingTool tool(stage);
    stage.serve();
    const auto session = stage.session_line();
    auto idle = stage.client(), watcher = stage.client(), caller = stage.client();
    watcher.send(http_request("GET", "/mcp", session + "Accept: text/event-stream\r\n"));
    CHECK(watcher.read_head().status == 200);
    caller.send(alone_call(1));
    tool.begun.wait();
    const auto start = std::chrono::steady_clock::now();
    stage.server->close();
    stage.web->close();
    CHECK(watcher.ends());
    CHECK(idle.ends());
    tool.released = true;
    CHECK(caller.read().body.find("waited") != std::string::npos);
    CHECK(caller.ends());
    CHECK(stage.web->await_sent(10s));
    CHECK(std::chrono::steady_clock::now() - start < 1500ms);
}

TEST_CASE("many concurrent clients each get their own answers") {
    HttpStage stage;
    stage.bench.runtime.handler = [](const runtime::PlacedInvocation& call,
                                     loading::CallHost& host) {
        const auto n = Json::parse(call.input)["n"].get<int>();
        if (n % 3 == 0) host.emit("progress", R"({"progress":1})");
        return replied(R"([{"text":")" + std::to_string(n) + R"("}])");
    };
    stage.serve();
    std::atomic<int> wrong{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 8; ++thread)
            threads.emplace_back([&, thread] {
                for (int round = 0; round < 10; ++round) {
                    auto client = stage.client();
                    for (int i = 0; i < 10; ++i) {
                        const int n = thread * 10'000 + round * 100 + i;
                        const auto params = R"({"name":"t","arguments":{"n":)" + std::to_string(n) +
                                            "}," + kAlone + "}";
                        client.send(mcp_post(request_line(n, "tools/call", params),
                                             "MCP-Protocol-Version: 2026-07-28\r\n"
                                             "Mcp-Method: tools/call\r\nMcp-Name: t\r\n"));
                        if (round == 9 && i == 9) break;  // disconnects without waiting
                        const auto body = client.read().body;
                        const auto wanted = "\"text\":\"" + std::to_string(n) + "\"";
                        if (body.find(wanted) == body.npos) ++wrong;
                    }
                }
            });
    }
    CHECK(wrong == 0);
}
