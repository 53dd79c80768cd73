#include "host/serve/auth/jwks.hpp"

#include "tests/loopback_issuer.hpp"
#include "tests/unit/serve/auth_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace std::chrono_literals;
using namespace toolhost::test;

TEST_CASE("an issuer's metadata is searched at the standard addresses") {
    CHECK(metadata_addresses("https://h") ==
          std::vector<std::string>{"https://h/.well-known/oauth-authorization-server",
                                   "https://h/.well-known/openid-configuration"});
    CHECK(metadata_addresses("https://h:1/a/") ==
          std::vector<std::string>{"https://h:1/.well-known/oauth-authorization-server/a",
                                   "https://h:1/.well-known/openid-configuration/a",
                                   "https://h:1/a/.well-known/openid-configuration"});
}

TEST_CASE("keys are read from a file, a URL, or the issuer's jwks_uri") {
    LoopbackIssuer server;
    server.offer("/keys", "the keys");
    OAuth oauth;
    oauth.issuer = server.url("/tenant");
    oauth.jwks = server.url("/keys");
    CHECK(*read_jwks(oauth, {}) == "the keys");

    oauth.jwks = "";
    const auto fault = [&] {
        const auto text = read_jwks(oauth, {});
        return text ? "" : text.error().message;
    };
    CHECK(says(fault(), "it responds with 404"));
    CHECK(says(fault(), "--oauth-jwks"));
    const auto offer = [&](const std::string& text) {
        server.offer("/tenant/.well-known/openid-configuration", text);
    };
    offer("nonsense");
    CHECK(says(fault(), "not a JSON object"));
    offer(dump({{"issuer", oauth.issuer}}));
    CHECK(says(fault(), "has no jwks_uri"));
    offer(dump({{"issuer", "https://other"}, {"jwks_uri", server.url("/keys")}}));
    CHECK(says(fault(), "to the issuer 'https://other'"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", "http://192.0.2.1/keys"}}));
    CHECK(says(fault(), "plain http"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", "file:///etc/passwd"}}));
    CHECK(says(fault(), "not an http(s) URL"));
    offer(dump({{"issuer", oauth.issuer}, {"jwks_uri", server.url("/keys")}}));
    CHECK(*read_jwks(oauth, {}) == "the keys");

    const TempFolder folder;
    folder.write("keys.json", "from a file");
    oauth.jwks = folder / "keys.json";
    CHECK(is_jwks_file(oauth));
    CHECK(*read_jwks(oauth, {}) == "from a file");
    oauth.jwks = folder / "none.json";
    CHECK(says(fault(), "none.json: the issuer's keys cannot be read: No such file"));
}
