// Requests are checked by their headers before their body is read.
#include "tests/unit/serve/auth_stage.hpp"
#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

namespace {

constexpr std::size_t kLargeBody = 64u << 20;

struct HttpAuthStage : HttpStage {
    TempFolder folder;
    const std::string token = make_token();

    HttpAuthStage() {
        http.authenticator =
            opened({.token_file = write_tokens(folder, line_of("ann", "-", token))});
        http.limits.body_bytes = 2 * kLargeBody;
        serve();
    }
    // The head of a POST with a declared body that is not sent.
    [[nodiscard]] static std::string head(const std::string& headers, const char* path = "/mcp",
                                          const char* method = "POST",
                                          std::size_t body = kLargeBody) {
        return std::string(method) + ' ' + path + " HTTP/1.1\r\n" + headers +
               "Content-Length: " + std::to_string(body) + "\r\n\r\n";
    }
    [[nodiscard]] std::string authorization() const {
        return "Authorization: Bearer " + token + "\r\n";
    }
};

const std::string kHost = "Host: localhost\r\n";
const std::string kMedia =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

}  // namespace

TEST_CASE("a refused request is answered before its body is read, and the connection is closed") {
    HttpAuthStage stage;
    const auto let_in = kHost + stage.authorization();
    struct Case {
        const char* what;
        std::string head;
        int status;
    };
    const Case cases[] = {
        {"no token", HttpAuthStage::head(kHost + kMedia), 401},
        {"a wrong token", HttpAuthStage::head(kHost + kMedia + "Authorization: Bearer x\r\n"), 401},
        {"another host", HttpAuthStage::head("Host: evil.example\r\n" + kMedia), 403},
        {"another origin", HttpAuthStage::head(kHost + "Origin: http://evil.example\r\n"), 403},
        {"no such path", HttpAuthStage::head(kHost, "/else"), 404},
        {"no such method", HttpAuthStage::head(kHost, "/mcp", "PUT"), 405},
        {"another type", HttpAuthStage::head(let_in + "Content-Type: text/plain\r\n"), 415},
        {"no event streams", HttpAuthStage::head(let_in + "Content-Type: application/json\r\n"),
         406},
        {"a page that is open to all", HttpAuthStage::head(kHost, "/healthz", "GET"), 200},
        {"too long", HttpAuthStage::head(let_in + kMedia, "/mcp", "POST", 4 * kLargeBody), 413},
        {"chunks without a token",
         "POST /mcp HTTP/1.1\r\n" + kHost + kMedia + "Transfer-Encoding: chunked\r\n\r\n", 401},
    };
    for (const auto& one : cases) {
        CAPTURE(one.what);
        auto client = stage.client();
        client.send(one.head);
        REQUIRE(client.receives_within(10'000));
        CHECK(client.read().status == one.status);
        CHECK(client.ends());
    }
}

TEST_CASE("the body of an unauthenticated request is not read") {
    HttpAuthStage stage;
    auto client = stage.client();
    const std::string body(kLargeBody, 'x');
    CHECK_FALSE(client.send(HttpAuthStage::head(kHost + kMedia) + body));
}

TEST_CASE("100-continue is sent only to admitted clients") {
    HttpAuthStage stage;
    const std::string expect = "Expect: 100-continue\r\n";
    auto stranger = stage.client();
    stranger.send(HttpAuthStage::head(kHost + kMedia + expect));
    CHECK(stranger.read().status == 401);
    CHECK(stranger.ends());

    auto ann = stage.client();
    const auto body = HttpStage::initialize_text();
    ann.send(HttpAuthStage::head(kHost + kMedia + expect + stage.authorization(), "/mcp", "POST",
                                 body.size()));
    CHECK(ann.read().status == 100);
    ann.send(body);
    CHECK(ann.read().status == 200);
    // The connection remains usable.
    ann.send(mcp_post(body, stage.authorization()));
    CHECK(ann.read().status == 200);
}

TEST_CASE("an admitted request may arrive in any pieces") {
    HttpAuthStage stage;
    auto client = stage.client();
    for (const char byte : mcp_post(HttpStage::initialize_text(), stage.authorization()))
        client.send({&byte, 1});
    CHECK(client.read().status == 200);
}
