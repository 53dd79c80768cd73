// State that one client of a server leaves in python_exec does not reach another.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/integration/serve_run.hpp"
#include "tests/raw_client.hpp"
#include "tests/tools/tool_stage.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kLeave =
    "import os, tempfile\nx = 42\ndef f(): return x\n"
    "open(os.path.join(os.path.dirname(tempfile.gettempdir()), 'left'), 'w').write('here')\n";
constexpr const char* kLook =
    "import os, tempfile\n"
    "['x' in globals(), 'f' in globals(), "
    "os.path.exists(os.path.join(os.path.dirname(tempfile.gettempdir()), 'left'))]";

// A client with a token, with or without a session.
class Client {
public:
    Client(std::uint16_t port, const std::string& token) : client_(port) {
        if (!token.empty()) token_ = "Authorization: Bearer " + token + "\r\n";
    }

    void open_session() {
        client_.send(mcp_post(
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
            R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
            token_));
        const auto answer = client_.read();
        REQUIRE(answer.status == 200);
        session_ = "Mcp-Session-Id: " + answer.header("mcp-session-id") + "\r\n";
    }
    void end_session() {
        client_.send(http_request("DELETE", "/mcp", token_ + session_));
        CHECK(client_.read().status == 204);
    }

    Json run(const std::string& code) {
        Json params{{"name", "python_exec"}, {"arguments", {{"code", code}, {"stateless", false}}}};
        std::string headers = token_ + session_;
        if (session_.empty()) {
            headers +=
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                "Mcp-Name: python_exec\r\n";
            params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                               {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
        }
        client_.send(mcp_post(
            Json{{"jsonrpc", "2.0"}, {"id", 7}, {"method", "tools/call"}, {"params", params}}
                .dump(),
            headers));
        const auto answer = client_.read();
        CAPTURE(answer.body);
        REQUIRE(answer.status == 200);
        const auto start = answer.body.find('{');  // after "data: " in a stream
        return Json::parse(answer.body.substr(start, answer.body.rfind('}') + 1 - start))
            .at("result");
    }
    // Which of variable, function and temporary files exist.
    Json finds() { return run(kLook).at("structuredContent").at("value"); }

private:
    RawClient client_;
    std::string token_, session_;
};

const Json kNothing{false, false, false}, kAll{true, true, true};

class Served {
public:
    explicit Served(bool tokens)
        : tokens_(stage_.stage().root() / "tokens"),
          run_(stage_.stage(), arguments(tokens), {.name_plugins = false}) {}

    [[nodiscard]] Client client(const std::string& token) { return {run_.port(), token}; }

private:
    // Each token equals its name.
    std::vector<std::string> arguments(bool tokens) {
        const auto profile = stage_.profile("python_exec", kClosed);
        std::vector<std::string> out{"--http", "127.0.0.1:0", "--profile", profile.string()};
        if (!tokens) {
            out.emplace_back("--no-auth");
            return out;
        }
        std::string text;
        for (const char* name : {"ann", "bob"})
            text += std::string(name) + " - sha256:" + sha256_of(name) + '\n';
        write_file(tokens_, text);
        REQUIRE(::chmod(tokens_.c_str(), 0600) == 0);
        out.insert(out.end(), {"--token-file", tokens_.string()});
        return out;
    }

    ToolStage stage_;
    fs::path tokens_;
    ServeRun run_;
};

TEST_CASE("two tokens, and two sessions of one token, share nothing") {
    Served served(true);
    auto ann = served.client("ann"), bob = served.client("bob"), other = served.client("ann");
    for (auto* client : {&ann, &bob, &other}) client->open_session();
    (void)ann.run(kLeave);
    CHECK(ann.finds() == kAll);
    CHECK(bob.finds() == kNothing);
    CHECK(other.finds() == kNothing);
    CHECK(ann.finds() == kAll);
    ann.end_session();
    ann.open_session();
    CHECK(ann.finds() == kNothing);
}

TEST_CASE(
    "without sessions the requests of a token share state, and those without a token do not") {
    Served served(true);
    auto ann = served.client("ann"), same = served.client("ann"), bob = served.client("bob");
    (void)ann.run(kLeave);
    CHECK(same.finds() == kAll);
    CHECK(bob.finds() == kNothing);

    Served open(false);
    auto nobody = open.client(""), stranger = open.client("");
    (void)nobody.run(kLeave);
    CHECK(stranger.finds() == kNothing);
    CHECK(nobody.finds() == kNothing);
    nobody.open_session();
    (void)nobody.run(kLeave);
    CHECK(nobody.finds() == kAll);
    CHECK(stranger.finds() == kNothing);
}

}  // namespace
}  // namespace toolhost::test
