// Authentication by tokens of an OAuth issuer.
#include "tests/loopback_issuer.hpp"
#include "tests/unit/serve/auth_stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using namespace toolhost::test;

TEST_CASE("a token of the issuer admits its subject") {
    OAuthStage stage;
    const auto authenticator = opened(stage.options);
    CHECK(authenticator->asks());
    CHECK(outcome(*authenticator, stage.bearer()) == "oauth:ann/");
    CHECK(authenticator->metadata() ==
          Json{{"resource", "https://here/mcp"},
               {"authorization_servers", Json::array({"https://issuer.example"})},
               {"bearer_methods_supported", Json::array({"header"})}});
    stage.options.oauth->profile = "readonly";
    CHECK(outcome(*opened(stage.options), stage.bearer()) == "oauth:ann/readonly");
}

TEST_CASE("an invalid token of the issuer is refused with the reason") {
    const OAuthStage stage;
    const auto authenticator = opened(stage.options);
    const std::pair<Json, std::string> kFaults[] = {
        {{{"iss", "https://other.example"}}, "another issuer"},
        {{{"aud", "https://there/mcp"}}, "another audience"},
        {{{"exp", seconds_from_now(-61)}}, "expired"},
        {{{"exp", nullptr}}, "has no expiry"},
        {{{"nbf", seconds_from_now(120)}}, "not valid yet"},
        {{{"sub", nullptr}}, "has no subject"},
        {{{"sub", ""}}, "has no subject"},
        {{{"sub", 7}}, "has no subject"},
        {{{"sub", "a\nb"}}, "has no subject"},
        {{{"sub", std::string(256, 'a')}}, "has no subject"},
    };
    for (const auto& [more, reason] : kFaults) {
        const auto& shown_reason = reason;
        CAPTURE(shown_reason);
        const auto refusal = authenticator->admit(stage.bearer(more)).error();
        CHECK(refusal.status == 401);
        CHECK(says(refusal.message, reason));
        CHECK(says(refusal.challenge, R"(error="invalid_token")"));
        CHECK(
            says(refusal.challenge,
                 R"(, resource_metadata="https://here/.well-known/oauth-protected-resource/mcp")"));
    }
    auto tampered = stage.bearer();
    tampered[tampered.size() - 3] = tampered[tampered.size() - 3] == 'A' ? 'B' : 'A';
    CHECK(says(outcome(*authenticator, tampered),
               "401 the token is not valid: its signature is invalid"));
    CHECK(says(outcome(*authenticator, stage.bearer({}, "two")),
               "a key that the issuer does not have"));
    CHECK(says(outcome(*authenticator, "Bearer abc"), "neither a token of this server nor a JWT"));
    CHECK(says(authenticator->admit(std::nullopt).error().challenge, "resource_metadata="));
}

TEST_CASE("clients are referred to the metadata of the audience") {
    OAuthStage stage;
    stage.options.metadata_url = "";
    const std::pair<std::string, std::string> kAddresses[] = {
        {"https://here/mcp", "https://here/.well-known/oauth-protected-resource/mcp"},
        {"https://here:8443/a/mcp", "https://here:8443/.well-known/oauth-protected-resource/a/mcp"},
        {"https://here/", "https://here/.well-known/oauth-protected-resource"},
        {"https://here", "https://here/.well-known/oauth-protected-resource"},
    };
    for (const auto& [audience, url] : kAddresses) {
        stage.options.oauth->audience = audience;
        CHECK(opened(stage.options)->admit(std::nullopt).error().challenge ==
              R"(Bearer realm="toolhost", resource_metadata=")" + url + '"');
    }
    stage.options.oauth->audience = "api://here";
    CHECK(opened(stage.options)->admit(std::nullopt).error().challenge ==
          R"(Bearer realm="toolhost")");
}

TEST_CASE("required scopes must be in the token") {
    OAuthStage stage;
    stage.options.oauth->scopes = {"tools:call", "tools:list"};
    const auto authenticator = opened(stage.options);
    CHECK(authenticator->metadata()["scopes_supported"] == Json{"tools:call", "tools:list"});
    const std::string both = "x tools:list tools:call";
    CHECK(outcome(*authenticator, stage.bearer({{"scope", both}})) == "oauth:ann/");
    CHECK(outcome(*authenticator, stage.bearer({{"scp", {"tools:list", "tools:call"}}})) ==
          "oauth:ann/");
    for (const Json& less :
         {Json{{"scope", "tools:list"}}, Json{{"scope", "tools:lists tools:call"}}, Json::object(),
          Json{{"scope", 7}}, Json{{"scope", both + "s"}}}) {
        const auto refusal = authenticator->admit(stage.bearer(less)).error();
        CHECK(refusal.status == 403);
        CHECK(says(refusal.challenge, R"(error="insufficient_scope")"));
        CHECK(says(refusal.challenge, R"(scope="tools:call tools:list")"));
        CHECK(says(refusal.message, "lacks the scope 'tools:"));
    }
    CHECK(says(authenticator->admit(std::nullopt).error().challenge,
               R"(scope="tools:call tools:list")"));
}

TEST_CASE("a claim may name only listed profiles") {
    OAuthStage stage;
    stage.options.oauth->profile = "readonly";
    stage.options.oauth->profile_claim = "role";
    stage.options.oauth->profiles = {"dev", "ops"};
    const auto authenticator = opened(stage.options);
    CHECK(outcome(*authenticator, stage.bearer()) == "oauth:ann/readonly");
    CHECK(outcome(*authenticator, stage.bearer({{"role", "ops"}})) == "oauth:ann/ops");
    for (const Json& role : {Json("root"), Json(""), Json("/etc/x.yml"), Json::array({"ops"})}) {
        const auto refusal = authenticator->admit(stage.bearer({{"role", role}})).error();
        CHECK(refusal.status == 403);
        CHECK(refusal.challenge.empty());
        CHECK(says(refusal.message, "claim 'role' names a profile"));
    }
    CHECK(checked(*authenticator) == std::vector<std::string>{"readonly", "dev", "ops"});
    const auto unusable = authenticator->check_profiles(all_but("ops"));
    REQUIRE_FALSE(unusable);
    CHECK(unusable.error().message ==
          "the profile of --oauth-profiles cannot be used: unknown profile 'ops'; fix it, or use "
          "another profile");
    stage.options.oauth->profiles.clear();
    CHECK(says(stage.fault(), "must be limited"));
}

TEST_CASE("an invalid issuer is refused at startup") {
    const OAuthStage good;
    const auto fault = [&](auto change) {
        OAuthStage stage;
        change(*stage.options.oauth);
        return stage.fault();
    };
    CHECK(good.fault().empty());
    CHECK(says(fault([](OAuth& o) { o.issuer = ""; }), "set --oauth-issuer to its URL"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "issuer"; }), "'issuer' is not an OAuth issuer"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "https://i/?x"; }), "is not an OAuth issuer"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "http://i/"; }), "must have an https URL"));
    CHECK(says(fault([](OAuth& o) { o.audience = ""; }), "requires --oauth-audience"));
    CHECK(says(fault([](OAuth& o) { o.audience = "a b:c"; }), "is not a valid audience"));
    CHECK(says(fault([](OAuth& o) { o.audience = "https://h/#f"; }), "is not a valid audience"));
    CHECK(says(fault([](OAuth& o) { o.jwks = "http://h/keys"; }), "plain http on loopback"));
    CHECK(says(fault([](OAuth& o) { o.jwks = "ftp://h/keys"; }), "--oauth-jwks must be a file"));
    CHECK(says(fault([](OAuth& o) { o.scopes = {"a b"}; }), "'a b' is not a scope"));
    CHECK(says(fault([](OAuth& o) { o.jwks += ".none"; }), "keys.json.none: the issuer's keys"));
    OAuthStage broken;
    broken.folder.write("keys.json", "{}");
    CHECK(says(broken.fault(), broken.folder / "keys.json: not a JSON Web Key Set"));
}

TEST_CASE("keys are fetched again when the issuer changes them") {
    LoopbackIssuer issuer;
    const auto old = SigningKey::ed25519(), fresh = SigningKey::ed25519();
    issuer.offer("/.well-known/oauth-authorization-server",
                 dump({{"issuer", issuer.url()}, {"jwks_uri", issuer.url("/keys")}}));
    issuer.offer("/keys", key_set({old.jwk("old")}));
    Authenticator::Options options;
    options.oauth = OAuth{};
    options.oauth->issuer = issuer.url();
    options.oauth->audience = "https://here/mcp";
    const auto authenticator = opened(options);
    const auto bearer = [&](const SigningKey& key, const std::string& kid) {
        return "Bearer " + make_jwt(key, {{"alg", "EdDSA"}, {"kid", kid}},
                                    {{"iss", issuer.url()},
                                     {"aud", Json::array({"https://here/mcp"})},
                                     {"exp", seconds_from_now(300)},
                                     {"sub", "ann"}});
    };
    CHECK(outcome(*authenticator, bearer(old, "old")) ==
          "oauth:ann/");  // waits for the first fetch
    CHECK(issuer.asked("/keys") == 1);
    // Another key under a new id, too soon after the last fetch: not fetched.
    issuer.offer("/keys", key_set({fresh.jwk("new")}));
    for (int i = 0; i < 20; ++i)
        CHECK(says(outcome(*authenticator, bearer(fresh, "new")),
                   "a key that the issuer does not have"));
    CHECK(issuer.asked("/keys") == 1);
    (void)authenticator->reload(
        any_profile);  // starts a fetch, which requests with a new key wait for
    CHECK(outcome(*authenticator, bearer(fresh, "new")) == "oauth:ann/");
    CHECK(issuer.asked("/keys") == 2);
    CHECK(says(outcome(*authenticator, bearer(old, "old")), "a key that the issuer does not have"));
}

TEST_CASE("while the issuer's keys are unavailable, no token is called invalid") {
    OAuthStage stage;
    std::string gone;
    {
        const LoopbackIssuer issuer;
        gone = issuer.url("/keys");
    }
    stage.options.oauth->jwks = gone;
    const auto authenticator = opened(stage.options);
    const auto refusal = authenticator->admit(stage.bearer()).error();
    CHECK(refusal.status == 503);
    CHECK(refusal.challenge.empty());
    CHECK(says(refusal.message, "try again later"));
}
