#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include "host/serve/headers.hpp"
#include "host/serve/request_state.hpp"
#include "host/serve/stdio.hpp"
#include "host/serve/used_states.hpp"
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::replied;
using toolhost::test::ServeStage;

TEST_CASE("a sealed state opens once, only for the request it was made for") {
    using Refusal = RequestState::Refusal;
    RequestState one, other;
    const Json state{{"a", 1}};
    const auto seal = [&](int seconds = 60) {
        return one.seal(state, "request", std::chrono::seconds(seconds));
    };
    const auto sealed = seal();
    CHECK(one.take(sealed, "another", "p").error().why == Refusal::invalid);
    CHECK(other.take(sealed, "request", "p").error().why == Refusal::invalid);
    CHECK(one.take(seal(-1), "request", "p").error().why == Refusal::invalid);
    for (std::size_t i = 0; i < sealed.size(); i += 7) {
        auto changed = sealed;
        changed[i] = changed[i] == 'a' ? 'b' : 'a';
        CHECK(one.take(changed, "request", "p").error().why == Refusal::invalid);
    }
    for (const char* bad : {"", "zz", "00", "abc"})
        CHECK(one.take(bad, "request", "p").error().why == Refusal::invalid);
    // None of these attempts used it up.
    REQUIRE(one.take(sealed, "request", "p"));
    CHECK(one.take(sealed, "request", "p").error().why == Refusal::used);
    CHECK(*one.take(seal(), "request", "p") == state);
}

TEST_CASE("used states are stored until they expire, even if the store is full") {
    using Taken = UsedStates::Taken;
    UsedStates used(UsedStates::Bounds{.in_all = 4, .per_principal = 2});
    CHECK(used.take("a", "p", 10, 0) == Taken::now);
    CHECK(used.take("b", "p", 20, 0) == Taken::now);
    CHECK(used.take("a", "p", 10, 10) == Taken::before);
    CHECK(used.take("c", "p", 30, 10) == Taken::no_room);
    CHECK(used.take("c", "q", 30, 10) == Taken::now);  // another principal has its own limit
    CHECK(used.take("d", "r", 30, 10) == Taken::now);
    CHECK(used.take("e", "s", 30, 10) == Taken::no_room);
    CHECK(used.take("b", "p", 20, 10) == Taken::before);
    CHECK(used.take("e", "p", 30, 11) == Taken::now);  // "a" has expired
    CHECK(used.take("f", "p", 30, 11) == Taken::no_room);
}

TEST_CASE("headers must match the body") {
    CHECK(decode_header("plain") == "plain");
    CHECK(decode_header("=?base64?SGVsbG8sIOS4lueVjA==?=") == "Hello, 世界");
    CHECK_FALSE(decode_header("=?base64?!!!!?="));
    CHECK_FALSE(decode_header("caf\xc3\xa9"));
    const auto request = read_message(Json::parse(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\u00e9"}})"));
    MirroredHeaders headers;
    CHECK(check_headers(headers, *request, "name")->code == rpc_code::kHeaderMismatch);
    headers.method = "tools/call";
    CHECK(check_headers(headers, *request, "name"));
    headers.name = "tea";
    CHECK(check_headers(headers, *request, "name"));
    headers.name = "=?base64?Y2Fmw6k=?=";
    CHECK_FALSE(check_headers(headers, *request, "name"));
    headers.method = "tools/list";
    CHECK(check_headers(headers, *request, "name"));
}

TEST_CASE("arguments that a tool requires in headers must be present") {
    const Json schema{{"properties",
                       {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}},
                        {"deep", {{"properties", {{"n", {{"x-mcp-header", "N"}}}}}}}}}};
    MirroredHeaders headers;
    CHECK_FALSE(check_param_headers(headers, schema, Json::object()));
    CHECK(check_param_headers(headers, schema, {{"region", "eu"}}));
    headers.params["region"] = "eu";
    CHECK_FALSE(check_param_headers(headers, schema, {{"region", "eu"}}));
    CHECK(check_param_headers(headers, schema, {{"region", "us"}}));
    CHECK(check_param_headers(headers, schema, Json::object()));
    headers.params["n"] = "42.0";
    CHECK_FALSE(check_param_headers(headers, schema, {{"region", "eu"}, {"deep", {{"n", 42}}}}));
}

namespace {

struct Pipes {
    int in[2], out[2];
    Pipes() {
        REQUIRE(::pipe(in) == 0);
        REQUIRE(::pipe(out) == 0);
    }
    ~Pipes() {
        for (const int end : {in[0], out[0], out[1]}) ::close(end);
    }
    void write(const std::string& text) const {
        REQUIRE(::write(in[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    Json read() {
        for (;;) {
            if (const auto end = buffer.find('\n'); end != buffer.npos) {
                auto line = Json::parse(buffer.substr(0, end));
                buffer.erase(0, end + 1);
                return line;
            }
            char bytes[4096];
            const auto got = ::read(out[0], bytes, sizeof bytes);
            REQUIRE(got > 0);
            buffer.append(bytes, static_cast<std::size_t>(got));
        }
    }
    std::string buffer;
};

}  // namespace

TEST_CASE("lines in, lines out, and a slow call does not block others") {
    ServeStage stage;
    stage.bench.add("slow");
    std::promise<void> go;
    stage.bench.runtime.handler = [&](auto&, auto&) {
        go.get_future().wait();
        return replied(R"([{"text":"at last"}])");
    };
    stage.open();
    Pipes pipes;
    StdioServer stdio(*stage.server, pipes.in[0], pipes.out[1], 2000);
    stdio.start();
    pipes.write(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
        "\n\n  \n");
    CHECK(pipes.read()["id"] == 1);
    pipes.write(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}})"
                "\n"
                R"({"jsonrpc":"2.0","id":3,"method":"ping"})"
                "\n");
    CHECK(pipes.read()["id"] == 3);
    pipes.write(std::string(5000, 'x') + "\n");
    CHECK(pipes.read()["error"]["code"] == rpc_code::kInvalidRequest);
    // A line that is too long is answered with its id, wherever the id is.
    const auto padded = [](const char* head, const char* tail) {
        return head + std::string(50'000, 'x') + tail;
    };
    pipes.write(
        padded(R"({"jsonrpc":"2.0","id":"first","method":"ping","params":{"x":")", "\"}}\n"));
    CHECK(pipes.read()["id"] == "first");
    pipes.write(padded(R"({"method":"ping","params":{"x":")", R"("},"jsonrpc":"2.0","id":77})"
                                                              "\n"));
    CHECK(pipes.read()["id"] == 77);
    pipes.write(padded(R"({"method":"ping","params":{"x":")", "\"}}\n"));
    CHECK(pipes.read()["id"].is_null());
    pipes.write(R"({"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":"\ud800"}})"
                "\n");
    CHECK(pipes.read()["id"] == 6);
    pipes.write("nonsense\n");
    CHECK(pipes.read()["error"]["code"] == rpc_code::kParseError);
    go.set_value();
    CHECK(pipes.read()["result"]["content"][0]["text"] == "at last");
    pipes.write(
        R"({"jsonrpc":"2.0","id":4,"method":"ping"})");  // without a line end, then end of input
    ::close(pipes.in[1]);
    CHECK(pipes.read()["id"] == 4);
    stdio.wait();
}
