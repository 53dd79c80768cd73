// `toolhost serve --http` with an OAuth issuer: metadata, keys, tokens, and a call.
#include <doctest/doctest.h>
#include <signal.h>

#include "tests/integration/serve_run.hpp"
#include "tests/loopback_issuer.hpp"
#include "tests/raw_client.hpp"
#include "tests/signing.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kAudience = "https://tools.example.com/mcp";
constexpr const char* kMetadata =
    "https://tools.example.com/.well-known/oauth-protected-resource/mcp";

// A defect of a token, and words of the error.
struct Wrong {
    const char* what;
    Json claims;  // replace valid ones
    const char* said;
};

const Wrong kWrong[] = {
    {"for another service", {{"aud", "https://other.example.com/mcp"}}, "aud"},
    {"by another issuer", {{"iss", "https://other.example.com/"}}, "iss"},
    {"expired", {{"exp", seconds_from_now(-3600)}}, "expired"},
    {"not valid yet", {{"nbf", seconds_from_now(3600)}}, "not valid yet"},
    {"without an end", {{"exp", nullptr}}, "exp"},
};

class Issuer : public LoopbackIssuer {
public:
    explicit Issuer(const std::optional<Certificate>& certificate) : LoopbackIssuer(certificate) {
        offer("/.well-known/oauth-authorization-server",
              dump({{"issuer", url()}, {"jwks_uri", url("/keys")}}));
        offer("/keys", key_set({key_.jwk("one")}));
    }
    [[nodiscard]] Json claims(const Json& others = Json::object()) const {
        Json out{
            {"iss", url()}, {"aud", kAudience}, {"sub", "ann"}, {"exp", seconds_from_now(600)}};
        out.update(others);
        for (auto it = out.begin(); it != out.end();) it = it->is_null() ? out.erase(it) : ++it;
        return out;
    }
    [[nodiscard]] std::string token(const Json& others = Json::object()) const {
        return make_jwt(key_, {{"alg", "ES256"}, {"kid", "one"}}, claims(others));
    }

private:
    const SigningKey key_ = SigningKey::p256();
};

void check_refused(RawClient& client, const std::string& token, std::string_view said) {
    client.send(adder_post(token));
    const auto answer = client.read();
    const auto challenge = answer.header("www-authenticate");
    CAPTURE(answer.body);
    CAPTURE(challenge);
    CHECK(answer.status == 401);
    CHECK(challenge.starts_with("Bearer"));
    CHECK(contains(challenge, std::string("resource_metadata=\"") + kMetadata + '"'));
    CHECK(contains(challenge, "error=\"invalid_token\"") == !token.empty());
    CHECK(contains(answer.body, said));
}

}  // namespace

TEST_SUITE("serve-oauth") {
    TEST_CASE("a token of the issuer is accepted, any other is refused with the issuer's address") {
        for (const bool with_tls : {false, true}) {
            CAPTURE(with_tls);
            const Stage stage({"adder"});
            std::optional<Certificate> certificate;
            Options options;
            if (with_tls) {
                certificate = make_certificate(stage.root(), "localhost");
                options.env["SSL_CERT_FILE"] = certificate->chain_file;
            }
            const Issuer issuer(certificate);
            const auto events = stage.root() / "events.jsonl";
            ServeRun run(stage,
                         {"--http", "127.0.0.1:0", "--oauth-issuer", issuer.url(),
                          "--oauth-audience", kAudience, "--events", events},
                         options);
            RawClient client(run.port());

            check_refused(client, "", "");
            client.send(http_request("GET", "/.well-known/oauth-protected-resource/mcp"));
            const auto metadata = Json::parse(client.read().body);
            CHECK(metadata["resource"] == kAudience);
            CHECK(metadata["authorization_servers"] == Json::array({issuer.url()}));

            client.send(adder_post(issuer.token()));
            const auto answer = client.read();
            CAPTURE(answer.body);
            REQUIRE(answer.status == 200);
            CHECK(Json::parse(answer.body)["result"]["content"][0]["text"] == "42");

            for (const auto& wrong : kWrong) {
                CAPTURE(std::string(wrong.what));
                check_refused(client, issuer.token(wrong.claims), wrong.said);
            }
            const auto stranger = SigningKey::p256();  // has the id of a known key
            check_refused(client,
                          make_jwt(stranger, {{"alg", "ES256"}, {"kid", "one"}}, issuer.claims()),
                          "signature");
            check_refused(client, unsigned_jwt({{"alg", "none"}}, issuer.claims()) + '.', "");

            run.signal(SIGTERM);
            CHECK(run.exit_code() == 0);
            // One call was made, and the log contains the principal.
            const auto lines = lines_of(read_file(events));
            REQUIRE(lines.size() == 3);
            for (const auto& line : lines) CHECK(Json::parse(line)["client"] == "oauth:ann");
        }
    }
}

}  // namespace toolhost::test
