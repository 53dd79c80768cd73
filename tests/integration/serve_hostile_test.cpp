// Hostile traffic: the server answers or closes the connection, stays within its memory limit, and
// serves the next client.
#include <doctest/doctest.h>
#include <signal.h>

#include <cstring>

#include "tests/integration/serve_run.hpp"
#include "tests/raw_client.hpp"

namespace toolhost::test {
namespace {

// The limit in docs/serving.md under "Limits".
constexpr std::size_t kMaxKb = 384u << 10;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
const std::string kCall =
    mcp_post(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"adder",)"
             R"("arguments":{"a":1,"b":2},"_meta":{)"
             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
             R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
             "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: adder\r\n");

struct Served {
    Stage stage{{"adder", "echo"}};
    ServeRun run;
    const std::uint16_t port;

    explicit Served(std::vector<std::string> more = {})
        : run(stage, with_http(std::move(more))), port(run.port()) {}
    ~Served() {
        CHECK(serves_next_client());
        CHECK(run.peak_kb() < kMaxKb);
        MESSAGE("memory at most: " << run.peak_kb() << " kB");
        run.signal(SIGTERM);
        CHECK(run.exit_code() == 0);
    }
    static std::vector<std::string> with_http(std::vector<std::string> args) {
        args.insert(args.begin(), {"--http", "127.0.0.1:0", "--no-auth"});
        return args;
    }
    [[nodiscard]] bool serves_next_client() const {
        RawClient client(port);
        client.send(kCall);
        const auto answer = client.read();
        return answer.status == 200 && contains(answer.body, R"("text":"3")");
    }
    [[nodiscard]] HttpAnswer post(const std::string& body) const {
        RawClient client(port);
        client.send(mcp_post(body));
        return client.read();
    }
};

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

// Invalid messages, each with one answer.
std::vector<std::string> wrong_messages() {
    std::vector<std::string> all{
        "{",
        "}",
        "null",
        "true",
        "0",
        "\"text\"",
        "[]",
        "[[]]",
        "[1,2,3]",
        "{}",
        "nonsense",
        R"({"jsonrpc":"2.0"})",
        R"({"jsonrpc":"1.0","id":1,"method":"ping"})",
        R"({"jsonrpc":2.0,"id":1,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":1})",
        R"({"jsonrpc":"2.0","id":1,"method":null})",
        R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})",
        R"({"jsonrpc":"2.0","id":1,"method":"ping","params":"x"})",
        R"({"jsonrpc":"2.0","id":1,"method":"no/such"})",
        R"({"jsonrpc":"2.0","id":1,"method":"\u0000"})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":[]}})",
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":{}}})",
        R"({"jsonrpc":"2.0","id":1e999,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"method":"ping",})",
        R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
        "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\xfe\",\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"\xed\xa0\x80\",\"method\":\"ping\"}",
        "\xef\xbb\xbf\xef\xbb\xbf{}",
        "\xff\xfe{\0}",
    };
    for (const char* id : {"null", "true", "1.5", "{}", "[]", "[1]", "1e400", "-1e400"})
        all.push_back(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})");
    all.push_back(R"({"jsonrpc":"2.0","id":")" + std::string(300, 'i') + R"(","method":"ping"})");
    all.push_back(repeated("[", 1'000'000));
    all.push_back(repeated("[", 1'000'000) + repeated("]", 1'000'000));
    all.push_back(repeated(R"({"a":)", 1'000'000));
    all.push_back(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",)"
                  R"("arguments":{"deep":)" +
                  repeated("[", 1'000'000) + repeated("]", 1'000'000) + "}}}");
    all.push_back(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(1'000'000, 'm') + R"("})");
    return all;
}

}  // namespace

TEST_SUITE("serve-hostile") {
    TEST_CASE("invalid messages over HTTP") {
        const Served served;
        for (const auto& message : wrong_messages()) {
            CAPTURE(message.substr(0, 100));
            const auto answer = served.post(message);
            CHECK(answer.status >= 400);
            CHECK(answer.status < 500);
            CHECK(answer.body.size() < 2'200'000);
            CHECK(Json::parse(answer.body).contains("error"));
        }
        CHECK(served.post("").status == 400);
    }

    TEST_CASE("invalid messages over stdio") {
        const Stage stage({"adder"});
        ServeRun run(stage, {});
        for (const auto& message : wrong_messages()) {
            CAPTURE(message.substr(0, 100));
            std::thread writer([&] { run.write(message + '\n'); });
            CHECK(run.next().contains("error"));
            writer.join();
        }
        run.initialize();
        // All kinds of ids, which are returned unchanged.
        for (const Json& id : {Json(0), Json(-1), Json(""), Json("\n\"\\"), Json(9007199254740993),
                               Json(18446744073709551615u), Json(std::string(256, 'i'))}) {
            run.request(id, "ping");
            CHECK(run.next()["id"] == id);
        }
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("an id that is in use is refused") {
        const Stage stage({"waiter", "echo"});
        ServeRun run(stage, {});
        run.initialize();
        run.call(1, "waiter", {{"ms", 60'000}});
        (void)run.await("method", "notifications/progress");
        run.call(1, "echo");
        CHECK(run.answer(1)["error"]["code"] == -32600);
        run.call("1", "echo");  // a different id
        CHECK(run.answer("1").contains("result"));
        run.send({{"jsonrpc", "2.0"},
                  {"method", "notifications/cancelled"},
                  {"params", {{"requestId", 1}}}});
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("a line of 200 MB, and many unfinished ones") {
        const Stage stage({"adder"});
        ServeRun run(stage, {});
        run.initialize();
        const std::string piece(1 << 20, 'x');
        for (int i = 0; i < 200; ++i) REQUIRE(run.write(piece));
        REQUIRE(run.write("\n"));
        CHECK(run.next()["error"]["code"] == -32600);
        run.request(1, "ping");
        CHECK(run.next()["id"] == 1);
        CHECK(run.peak_kb() < kMaxKb);
        run.close_stdin();
        CHECK(run.exit_code() == 0);
    }

    TEST_CASE("bodies of 200 MB") {
        const Served served;
        const std::string head =
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n";
        const std::string piece(1 << 20, ' ');
        for (const bool chunked : {false, true}) {
            CAPTURE(chunked);
            RawClient client(served.port);
            client.send(head + (chunked ? "Transfer-Encoding: chunked\r\n\r\n"
                                        : "Content-Length: 209715200\r\n\r\n"));
            int sent = 0;
            for (; sent < 200; ++sent)
                if (!client.send(chunked ? "100000\r\n" + piece + "\r\n" : piece)) break;
            CHECK(sent < 60);
            CHECK(client.ends());
        }
        RawClient client(served.port);
        client.send(head + "Content-Length: 209715200\r\n\r\n");
        CHECK(client.read().status == 413);
        CHECK(served.serves_next_client());
    }

    TEST_CASE("connections that are aborted, half-open or slow") {
        const Served served;
        const std::string parts[] = {"",
                                     "P",
                                     "POST /mcp HTT",
                                     kCall.substr(0, kCall.size() / 2),
                                     kCall.substr(0, kCall.size() - 1),
                                     kCall,
                                     kCall + kCall,
                                     "\x16\x03\x01\x02"};
        std::vector<RawClient> slow;
        for (const auto& part : parts)
            for (int i = 0; i < 25; ++i) {
                RawClient closed(served.port), cut(served.port), half(served.port);
                for (auto* client : {&closed, &cut, &half}) client->send(part);
                cut.reset();
                half.finish_sending();
                slow.emplace_back(served.port);
                slow.back().send(part);
            }
        CHECK(served.serves_next_client());
        for (auto& client : slow) client.send("x");
        CHECK(served.serves_next_client());
    }

    TEST_CASE("clients that request much and read nothing") {
        const Served served;
        std::vector<RawClient> deaf;
        const std::string big(4 << 20, 'e');
        const auto ask = mcp_post(
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":)"
            R"({"text":")" +
                big +
                R"("},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n");
        for (int i = 0; i < 40; ++i) {
            deaf.emplace_back(served.port);
            deaf.back().shrink_receive_buffer();
            deaf.back().send(ask, 500);
        }
        CHECK(served.serves_next_client());
    }

    TEST_CASE("1,000 connections at once") {
        const Served served({"--max-calls", "1000"});  // so that no call is refused
        std::vector<RawClient> clients;
        for (int i = 0; i < 1000; ++i) clients.emplace_back(served.port);
        CHECK(served.serves_next_client());
        for (auto& client : clients) client.send(kCall);
        int right = 0;
        std::string wrong;
        for (auto& client : clients) {
            const auto answer = client.read();
            if (contains(answer.body, R"("text":"3")"))
                ++right;
            else
                wrong = std::to_string(answer.status) + ' ' + answer.body;
        }
        CAPTURE(wrong);
        CHECK(right == 1000);
        // Connections beyond the limit get an error, or are closed.
        int refused = 0;
        for (int i = 0; i < 200; ++i) {
            clients.emplace_back(served.port);
            clients.back().send(http_request("GET", "/healthz"));
        }
        for (std::size_t i = 1000; i < clients.size(); ++i)
            refused += clients[i].read().status != 200;
        CHECK(refused >= 176);
        clients.clear();
    }

    TEST_CASE("10,000 sessions") {
        const Served served;
        RawClient client(served.port);
        std::string first;
        for (int batch = 0; batch < 100; ++batch) {
            client.send(repeated(mcp_post(kInitialize), 100));
            for (int i = 0; i < 100; ++i) {
                const auto answer = client.read();
                if (first.empty()) first = answer.header("mcp-session-id");
                if (answer.status != 200) FAIL("no session, but " << answer.status);
            }
        }
        client.send(mcp_post(kInitialize));
        CHECK(client.read().status == 503);
        const auto session = "Mcp-Session-Id: " + first + "\r\n";
        client.send(mcp_post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", session));
        CHECK(contains(client.read().body, "adder"));
        client.send(http_request("DELETE", "/mcp", session));
        CHECK(client.read().status == 204);
        client.send(mcp_post(kInitialize));
        CHECK(client.read().status == 200);
    }

    TEST_CASE("messages with a small text and large memory use") {
        const Served served;
        for (const char* value : {"[]", "1", "{}", "[[]]", R"({"":{}})"}) {
            const auto answer = served.post(
                R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{"all":[)" +
                repeated(std::string(value) + ",", (15u << 20) / (std::strlen(value) + 1)) +
                "1]}}");
            CHECK(answer.status == 413);
        }
        // As many values as allowed.
        CHECK(served
                  .post(R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{"all":[)" +
                        repeated("[],", 499'000) + "1]}}")
                  .status == 200);
    }

    TEST_CASE("sessions that try to store much") {
        const Served served;
        const auto long_ago = std::string(1 << 20, 'x');
        const auto answer = served.post(
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
            R"("2025-11-25","capabilities":{"experimental":{"x":")" +
            long_ago + R"("}}}})");
        CHECK(contains(answer.body, "-32602"));
        CHECK(answer.header("mcp-session-id").empty());
        const auto opened = served.post(kInitialize);
        const auto session = "Mcp-Session-Id: " + opened.header("mcp-session-id") + "\r\n";
        RawClient client(served.port);
        client.send(mcp_post(
            R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:)" +
                long_ago + R"("}})",
            session));
        CHECK(contains(client.read().body, "-32602"));
    }
}

}  // namespace toolhost::test
