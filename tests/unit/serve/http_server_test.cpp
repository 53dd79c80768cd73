#include <thread>

#include "host/serve/http/listener.hpp"
#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

TEST_CASE("an answer is a JSON document, and the connection stays open") {
    HttpStage stage;
    stage.serve();
    const auto session = stage.session_line();
    auto client = stage.client();
    for (int id = 1; id <= 20; ++id) {
        client.send(mcp_post(request_line(id, "tools/call", R"({"name":"t"})"), session));
        const auto answer = client.read();
        CHECK(answer.status == 200);
        CHECK(answer.header("content-type") == "application/json");
        CHECK(Json::parse(answer.body)["id"] == id);
    }
    client.send(mcp_post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session));
    const auto accepted = client.read();
    CHECK(accepted.status == 202);
    CHECK(accepted.body.empty());
}

TEST_CASE("requests sent ahead are answered one by one, in order") {
    HttpStage stage;
    stage.serve();
    auto client = stage.client();
    std::string all;
    for (int id = 1; id <= 200; ++id) all += alone_call(id);
    std::thread sender([&] { client.send(all); });
    for (int id = 1; id <= 200; ++id) CHECK(Json::parse(client.read().body)["id"] == id);
    sender.join();
}

TEST_CASE("messages before the response make it a stream") {
    HttpStage stage;
    WaitingTool tool(stage);
    tool.released = true;
    stage.serve();
    auto client = stage.client();
    for (int id = 1; id <= 3; ++id) {
        client.send(alone_call(id));
        CHECK(client.read_head().header("content-type") == "text/event-stream");
        const auto progress = client.next_event(), answer = client.next_event();
        REQUIRE(progress);
        REQUIRE(answer);
        CHECK(progress->id.empty());  // it cannot be resumed
        CHECK(Json::parse(progress->data)["method"] == "notifications/progress");
        CHECK(Json::parse(answer->data)["id"] == id);
        CHECK_FALSE(client.next_event());
    }
}

TEST_CASE("a broken stream of a session is resumed where it was") {
    HttpStage stage;
    WaitingTool tool(stage);
    stage.serve();
    const auto session = stage.session_line();
    std::string last;
    {
        auto client = stage.client();
        client.send(mcp_post(request_line(5, "tools/call", kCall), session));
        (void)client.read_head();
        last = client.next_event()->id;  // before any message
        const auto progress = client.next_event();
        CHECK(Json::parse(progress->data)["params"]["progress"] == 1);
        client.reset();
    }
    tool.released = true;
    tool.ended.wait();
    CHECK_FALSE(tool.cancelled);
    auto client = stage.client();
    client.send(http_request(
        "GET", "/mcp", session + "Accept: text/event-stream\r\nLast-Event-ID: " + last + "\r\n"));
    CHECK(client.read_head().status == 200);
    (void)client.next_event();  // without data
    CHECK(Json::parse(client.next_event()->data)["method"] == "notifications/progress");
    CHECK(Json::parse(client.next_event()->data)["id"] == 5);
    CHECK_FALSE(client.next_event());
    // Not for another session.
    const auto other = stage.session_line();
    CHECK(stage.status_of(http_request(
              "GET", "/mcp",
              other + "Accept: text/event-stream\r\nLast-Event-ID: " + last + "\r\n")) == 404);
}

TEST_CASE("a client that disconnects cancels calls that cannot be resumed") {
    for (const bool speaks : {true, false}) {
        for (const bool alone : {true, false}) {
            if (speaks && !alone) continue;  // that stream can be resumed
            CAPTURE(speaks);
            CAPTURE(alone);
            HttpStage stage;
            WaitingTool tool(stage);
            tool.speaks = speaks;
            stage.serve();
            auto client = stage.client();
            if (alone)
                client.send(alone_call(1));
            else
                client.send(mcp_post(request_line(1, "tools/call", kCall), stage.session_line()));
            tool.begun.wait();
            client.close();
            tool.ended.wait();
            CHECK(tool.cancelled);
        }
    }
}

TEST_CASE("a cancelled request ends without an answer") {
    HttpStage stage;
    WaitingTool tool(stage);
    stage.serve();
    const auto session = stage.session_line();
    auto client = stage.client();
    client.send(mcp_post(request_line(9, "tools/call", kCall), session));
    (void)client.read_head();
    tool.begun.wait();
    CHECK(stage.status_of(mcp_post(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                                   R"("params":{"requestId":9}})",
                                   session)) == 202);
    std::string seen;
    while (const auto event = client.next_event()) seen += event->data;
    CHECK(seen.find("\"id\":9") == seen.npos);
    tool.ended.wait();
    CHECK(tool.cancelled);
}

TEST_CASE("the end of a session ends its calls and streams") {
    HttpStage stage;
    WaitingTool tool(stage);
    stage.serve();
    const auto session = stage.session_line();
    auto watcher = stage.client(), caller = stage.client();
    watcher.send(http_request("GET", "/mcp", session + "Accept: text/event-stream\r\n"));
    CHECK(watcher.read_head().status == 200);
    caller.send(mcp_post(request_line(1, "tools/call", kCall), session));
    tool.begun.wait();
    stage.server->listeners().tools_changed();
    (void)watcher.next_event();  // without data
    CHECK(watcher.next_event()->data.find("list_changed") != std::string::npos);
    CHECK(stage.status_of(http_request("DELETE", "/mcp", session)) == 204);
    while (watcher.next_event()) continue;  // other lists have changed too
    tool.ended.wait();
    CHECK(tool.cancelled);
    CHECK(stage.status_of(http_request("DELETE", "/mcp", session)) == 404);
    CHECK(stage.status_of(mcp_post(request_line(2, "ping"), session)) == 404);
}

namespace {

struct StatusCase {
    const char *method, *path, *headers;
    int status;
};
constexpr StatusCase kStatuses[] = {
    {"GET", "/healthz", "", 200},
    {"GET", "/readyz?x", "", 200},
    {"GET", "/metrics", "", 200},
    {"GET", "/", "", 404},
    {"GET", "/mcp/", "", 404},
    {"GET", "//mcp", "", 404},
    {"GET", "http://localhost/mcp", "", 404},
    {"GET", "/mcp", "", 405},
    {"HEAD", "/mcp", "", 405},
    {"PUT", "/mcp", "", 405},
    {"TRACE", "/mcp", "", 405},
    {"POST", "/healthz", "", 405},
    {"GET", "/mcp", "Mcp-Session-Id: none\r\nAccept: text/event-stream\r\n", 404},
    {"GET", "/mcp", "Mcp-Session-Id: none\r\nAccept: application/json\r\n", 406},
    {"DELETE", "/mcp", "", 400},
    {"DELETE", "/mcp", "Mcp-Session-Id: none\r\n", 404},
    {"POST", "/mcp", "Content-Type: text/plain\r\nAccept: */*\r\n", 415},
    {"POST", "/mcp", "Accept: */*\r\n", 415},
    {"POST", "/mcp", "Content-Type: application/json\r\n", 406},
    {"POST", "/mcp", "Content-Type: application/json\r\nAccept: application/json\r\n", 406},
    {"POST", "/mcp", "Content-Type: application/json\r\nAccept: */*\r\n", 400},
    {"OPTIONS", "/mcp", "Origin: http://localhost:1\r\n", 204},
    {"OPTIONS", "/mcp", "Origin: http://evil.example\r\n", 403},
    {"GET", "/healthz", "Origin: null\r\n", 200},
    {"GET", "/metrics", "Origin: null\r\n", 403},
    {"POST", "/mcp", "Content-Type: text/plain; x=application/json\r\nAccept: */*\r\n", 415},
    {"POST", "/mcp", "Content-Type: Application/JSON; charset=utf-8\r\nAccept: */*\r\n", 400},
    {"GET", "/.well-known/oauth-protected-resource", "", 404},
    {"POST", "/.well-known/oauth-protected-resource/a/b", "", 405},
};

}  // namespace

TEST_CASE("each path and method has its answer, on one connection") {
    HttpStage stage;
    stage.serve();
    auto client = stage.client();
    for (const auto& asked : kStatuses) {
        CAPTURE(std::string(asked.method) + ' ' + asked.path + ' ' + asked.headers);
        if (std::string_view(asked.method) == "HEAD") {
            auto head = stage.client();
            head.expect_no_body();
            head.send(http_request(asked.method, asked.path, asked.headers));
            CHECK(head.read().status == asked.status);
            continue;
        }
        client.send(http_request(asked.method, asked.path, asked.headers));
        const auto answer = client.read();
        CHECK(answer.status == asked.status);
        if (asked.status == 405) CHECK_FALSE(answer.header("allow").empty());
    }
}

TEST_CASE("a request without Host is invalid, and one with another host is forbidden") {
    HttpStage stage;
    stage.serve();
    CHECK(stage.status_of("GET /metrics HTTP/1.1\r\n\r\n") == 400);
    CHECK(stage.status_of("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n") == 403);
    CHECK(stage.status_of("GET /healthz HTTP/1.0\r\n\r\n") == 200);
}

TEST_CASE("an address in use is an error with its own code") {
    boost::asio::io_context io;
    HttpListener first(io, {}), second(io, {});
    REQUIRE(first.open({boost::asio::ip::address_v4::loopback(), 0}));
    const auto refused = second.open(first.endpoint());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::listen_failed);
    CHECK(exit_of(refused.error()) == Exit::trouble);
}
