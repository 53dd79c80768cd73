// A server on its own port with functions as tools, and its clients.
#pragma once

#include <latch>

#include "host/serve/http/server.hpp"
#include "tests/raw_client.hpp"
#include "tests/unit/serve/stage.hpp"

namespace toolhost::test {

inline const std::string kAlone =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":1})";

struct HttpStage : ServeStage {
    serve::HttpOptions http;
    std::unique_ptr<serve::HttpServer> web;
    std::uint16_t port = 0;
    std::size_t calls = 8;  // concurrent calls

    HttpStage() {
        http.addresses = {"127.0.0.1:0"};
        bench.add("t");
        bench.runtime.handler = [](auto&, auto&) { return replied(R"([{"text":"ok"}])"); };
    }
    ~HttpStage() {
        if (!web) return;
        server->close();
        web->close();
        web->cancel_calls();
        CHECK(web->await_sent(std::chrono::seconds(20)));
    }
    HttpStage(const HttpStage&) = delete;
    HttpStage& operator=(const HttpStage&) = delete;

    void serve() {
        several = [authenticator = http.authenticator] {
            return authenticator && authenticator->has_several_principals();
        };
        open(100, calls);
        web = std::make_unique<serve::HttpServer>(*server, http,
                                                  [](auto) { return std::string("m 1\n"); });
        const auto started = web->start();
        REQUIRE(started);
        const auto url = web->urls().at(0);
        port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }
    [[nodiscard]] RawClient client() const { return RawClient(port); }
    // The status that a new client gets; 0 if the connection is closed instead.
    [[nodiscard]] int status_of(const std::string& text) const {
        auto asking = client();
        asking.send(text);
        return asking.read().status;
    }
    // Opens a session, and returns the header line with its id.
    [[nodiscard]] std::string session_line(const char* revision = "2025-11-25") const {
        auto opener = client();
        opener.send(mcp_post(initialize_text(revision)));
        const auto answer = opener.read();
        REQUIRE(answer.status == 200);
        return "Mcp-Session-Id: " + answer.header("mcp-session-id") + "\r\n";
    }
    static std::string initialize_text(const char* revision = "2025-11-25") {
        return Json{{"jsonrpc", "2.0"},
                    {"id", 0},
                    {"method", "initialize"},
                    {"params",
                     {{"protocolVersion", revision},
                      {"capabilities", Json::object()},
                      {"clientInfo", {{"name", "c"}, {"version", "1"}}}}}}
            .dump();
    }
};

inline std::string request_line(int id, std::string_view method, std::string_view params = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" +
           std::string(method) + R"(","params":)" + std::string(params) + "}";
}
inline const std::string kCall = R"({"name":"t","_meta":{"progressToken":1}})";

// The same as a request without a session.
inline std::string alone_call(int id) {
    return mcp_post(
        request_line(id, "tools/call", R"({"name":"t",)" + kAlone + "}"),
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t\r\n");
}

// A tool that sends progress, and then waits to be released or cancelled.
class WaitingTool {
public:
    explicit WaitingTool(HttpStage& stage) {
        stage.bench.runtime.handler = [this](auto&, loading::CallHost& host) {
            if (speaks) host.emit("progress", R"({"progress":1})");
            begun.count_down();
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
            while (!released && !host.cancelled() && std::chrono::steady_clock::now() < end)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            cancelled = host.cancelled();
            ended.count_down();
            return replied(R"([{"text":"waited"}])");
        };
    }
    bool speaks = true;
    std::latch begun{1}, ended{1};
    std::atomic<bool> released{false}, cancelled{false};
};

}  // namespace toolhost::test
