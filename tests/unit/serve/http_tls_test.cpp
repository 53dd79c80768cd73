#include <filesystem>

#include "host/serve/http/tls.hpp"
#include "tests/tls_client.hpp"
#include "tests/unit/serve/http_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

TEST_CASE("with a certificate the server speaks TLS only") {
    HttpStage stage;
    const auto files = make_certificate(stage.bench.folder.path(), "localhost");
    stage.http.tls_certificate = files.chain_file;
    stage.http.tls_key = files.key_file;
    stage.serve();
    CHECK(stage.web->urls().at(0).starts_with("https://"));
    TlsClient client(stage.port, files.chain_file);
    REQUIRE(client.is_trusting());
    for (int id = 1; id <= 3; ++id)
        CHECK(client.ask(alone_call(id)).find("\"id\":" + std::to_string(id)) != std::string::npos);
    CHECK(stage.status_of(http_request("GET", "/healthz")) == 0);  // plain text is not a handshake
    stage.http.tls_key = stage.http.tls_certificate;
    HttpServer broken(*stage.server, stage.http, [](auto) { return std::string(); });
    CHECK(broken.start().error().code == ErrorCode::invalid_input);
}

TEST_CASE("a key that does not match the certificate is refused, also one of another type") {
    const TempFolder folder;
    const auto ec = make_certificate(folder.path(), "localhost");
    const auto rsa = make_certificate(folder.path(), "other.example", KeyKind::rsa);
    CHECK(open_tls(rsa.chain_file, rsa.key_file));
    for (const auto& [chain, key] :
         {std::pair(rsa.chain_file, ec.key_file), std::pair(ec.chain_file, rsa.key_file)}) {
        const auto mixed = open_tls(chain, key);
        REQUIRE_FALSE(mixed);
        CHECK(mixed.error().message.starts_with(key +
                                                " is not a usable private key in PEM for this"));
    }
}

TEST_CASE("a new certificate applies to new connections, a broken one is ignored") {
    namespace fs = std::filesystem;
    HttpStage stage;
    const auto& folder = stage.bench.folder;
    const auto first = make_certificate(folder.path(), "localhost");
    const auto second = make_certificate(folder.path(), "other.example");
    stage.http.tls_certificate = folder / "cert.pem";
    stage.http.tls_key = folder / "key.pem";
    const auto use = [&](const std::string& chain, const std::string& key) {
        fs::copy_file(chain, stage.http.tls_certificate, fs::copy_options::overwrite_existing);
        fs::copy_file(key, stage.http.tls_key, fs::copy_options::overwrite_existing);
    };
    use(first.chain_file, first.key_file);
    stage.serve();
    TlsClient before(stage.port, first.chain_file);
    REQUIRE(before.is_trusting());
    use(second.chain_file, first.key_file);  // do not match
    stage.web->reread_certificate();
    CHECK(TlsClient(stage.port, first.chain_file).is_trusting());
    use(second.chain_file, second.key_file);
    stage.web->reread_certificate();
    CHECK_FALSE(TlsClient(stage.port, first.chain_file).is_trusting());
    CHECK(TlsClient(stage.port, second.chain_file).is_trusting());
    CHECK(before.ask(alone_call(1)).find("\"id\":1") != std::string::npos);
}

TEST_CASE("an address that other machines can reach requires tokens and TLS") {
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
