#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;
using namespace std::chrono_literals;

namespace {

int status_of(const HttpStage& stage, const std::string& text) {
    auto client = stage.client();
    client.send(text);
    return client.read().status;
}

}  // namespace

TEST_CASE("an answer is a JSON document, and the connection stays") {
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

TEST_CASE("what comes before the answer makes it a stream") {
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
        CHECK(progress->id.empty());  // nobody can come back for it
        CHECK(Json::parse(progress->data)["method"] == "notifications/progress");
        CHECK(Json::parse(answer->data)["id"] == id);
        CHECK_FALSE(client.next_event());
    }
}

TEST_CASE("a session's stream that broke is resumed where it was") {
    HttpStage stage;
    WaitingTool tool(stage);
    stage.serve();
    const auto session = stage.session_line();
    std::string last;
    {
        auto client = stage.client();
        client.send(mcp_post(request_line(5, "tools/call", kCall), session));
        (void)client.read_head();
        last = client.next_event()->id;  // before anything has come
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
    CHECK(status_of(stage, http_request("GET", "/mcp",
                                        other + "Accept: text/event-stream\r\nLast-Event-ID: " +
                                            last + "\r\n")) == 404);
}

TEST_CASE("a client that goes cancels what cannot be resumed") {
    for (const bool speaks : {true, false}) {
        for (const bool alone : {true, false}) {
            if (speaks && !alone) continue;  // that stream can be
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
    CHECK(status_of(stage, mcp_post(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                                    R"("params":{"requestId":9}})",
                                    session)) == 202);
    std::string seen;
    while (const auto event = client.next_event()) seen += event->data;
    CHECK(seen.find("\"id\":9") == seen.npos);
    tool.ended.wait();
    CHECK(tool.cancelled);
}

TEST_CASE("a session ends what belongs to it") {
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
    CHECK(status_of(stage, http_request("DELETE", "/mcp", session)) == 204);
    while (watcher.next_event()) continue;  // other lists have changed, too
    tool.ended.wait();
    CHECK(tool.cancelled);
    CHECK(status_of(stage, http_request("DELETE", "/mcp", session)) == 404);
    CHECK(status_of(stage, mcp_post(request_line(2, "ping"), session)) == 404);
}

namespace {

struct Asked {
    const char *method, *path, *headers;
    int status;
};
constexpr Asked kAsked[] = {
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
    for (const auto& asked : kAsked) {
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

TEST_CASE("there are no more connections than may be, and one that goes makes room") {
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
    // The server sees it in its own time.
    int status = 0;
    for (int i = 0; i < 1000 && status != 200; ++i) {
        auto next = stage.client();
        next.send(http_request("GET", "/healthz"));
        status = next.read().status;
    }
    CHECK(status == 200);
}

TEST_CASE("there are no more sessions than may be") {
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
    CHECK(status_of(stage, http_request("DELETE", "/mcp", first)) == 204);
    CHECK(status_of(stage, mcp_post(HttpStage::initialize_text())) == 200);
}

TEST_CASE("whoever could be reached from elsewhere needs tokens and TLS") {
    HttpStage stage;
    stage.open();
    for (const char* address : {"0.0.0.0:0", "[::]:0", "192.0.2.1:0"}) {
        stage.http.addresses = {address};
        HttpServer web(*stage.server, stage.http, [](auto) { return std::string(); });
        const auto started = web.start();
        REQUIRE_FALSE(started);
        CHECK(started.error().code == ErrorCode::policy_denied);
        CHECK(started.error().message.find("--token-file") != std::string::npos);
        CHECK(started.error().message.find("--tls-cert") != std::string::npos);
    }
    for (const char* address : {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x",
                                "127.0.0.1:65536", "example.org:80", "127.0.0.1:-1"}) {
        stage.http.addresses = {address};
        HttpServer web(*stage.server, stage.http, [](auto) { return std::string(); });
        const auto started = web.start();
        REQUIRE_FALSE(started);
        CHECK(started.error().code == ErrorCode::invalid_input);
    }
}

namespace {

// A key and a certificate that it has signed itself, for localhost.
void write_certificate(const TempFolder& folder) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                  EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
    auto* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    REQUIRE(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
    auto write = [&](const char* file, auto put) {
        const std::unique_ptr<BIO, decltype(&BIO_free)> to(
            BIO_new_file((folder / file).c_str(), "w"), BIO_free);
        REQUIRE(put(to.get()) == 1);
    };
    write("cert.pem", [&](BIO* to) { return PEM_write_bio_X509(to, certificate.get()); });
    write("key.pem", [&](BIO* to) {
        return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

}  // namespace

TEST_CASE("with a certificate it speaks TLS, and nothing else") {
    HttpStage stage;
    write_certificate(stage.bench.folder);
    stage.http.tls_certificate = stage.bench.folder / "cert.pem";
    stage.http.tls_key = stage.bench.folder / "key.pem";
    stage.serve();
    CHECK(stage.web->urls().at(0).starts_with("https://"));
    boost::asio::io_context io;
    boost::asio::ssl::context trust(boost::asio::ssl::context::tls_client);
    trust.load_verify_file(stage.http.tls_certificate);
    trust.set_verify_mode(boost::asio::ssl::verify_peer);
    boost::asio::ssl::stream<boost::asio::ip::tcp::socket> client(io, trust);
    client.lowest_layer().connect({boost::asio::ip::address_v4::loopback(), stage.port});
    client.handshake(boost::asio::ssl::stream_base::client);
    for (int id = 1; id <= 3; ++id) {
        boost::asio::write(client, boost::asio::buffer(alone_call(id)));
        std::string answer(16 << 10, '\0');
        answer.resize(client.read_some(boost::asio::buffer(answer)));
        CHECK(answer.find("\"id\":" + std::to_string(id)) != answer.npos);
    }
    CHECK(status_of(stage, http_request("GET", "/healthz")) == 0);  // plain text is no handshake
    stage.http.tls_key = stage.http.tls_certificate;
    HttpServer broken(*stage.server, stage.http, [](auto) { return std::string(); });
    CHECK(broken.start().error().code == ErrorCode::invalid_input);
}

TEST_CASE("a server that ends lets answers out, and streams do not hold it up") {
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

TEST_CASE("many clients at once come and go, and each gets its own answers") {
    HttpStage stage;
    stage.bench.runtime.handler = [](const runtime::Invocation& call, runtime::CallHost& host) {
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
                        if (round == 9 && i == 9) break;  // leaves without waiting
                        const auto body = client.read().body;
                        const auto wanted = "\"text\":\"" + std::to_string(n) + "\"";
                        if (body.find(wanted) == body.npos) ++wrong;
                    }
                }
            });
    }
    CHECK(wrong == 0);
}
