#include "host/serve/door/doorkeeper.hpp"

#include <sys/stat.h>

#include <thread>

#include "host/serve/door/token_file.hpp"
#include "tests/loopback_issuer.hpp"
#include "tests/signing.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::key_set;
using toolhost::test::LoopbackIssuer;
using toolhost::test::make_jwt;
using toolhost::test::seconds_from_now;
using toolhost::test::SigningKey;
using toolhost::test::TempFolder;

namespace {

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

std::string line_of(const std::string& name, const std::string& profile, const std::string& token) {
    return name + ' ' + profile + " sha256:" + token_hash(token) + '\n';
}

// A token file for its owner alone.
std::string write_tokens(const TempFolder& folder, const std::string& text) {
    folder.write("tokens", text);
    REQUIRE(::chmod((folder / "tokens").c_str(), 0600) == 0);
    return folder / "tokens";
}

std::string parse_fault(const std::string& text) {
    const auto tokens = TokenFile::parse(text, "tokens");
    return tokens ? "" : tokens.error().message;
}

std::shared_ptr<Doorkeeper> opened(const Doorkeeper::Options& options) {
    auto door = Doorkeeper::open(options);
    REQUIRE(door);
    return *door;
}

// Who comes in; or the status and message of the refusal.
std::string outcome(Doorkeeper& door, const std::optional<std::string>& authorization) {
    const auto principal = door.admit(authorization);
    if (principal) return principal->name + '/' + principal->profile;
    return std::to_string(principal.error().status) + ' ' + principal.error().message;
}

const SigningKey& signer() {
    static const auto key = SigningKey::p256();
    return key;
}

// An issuer whose keys are in a file, and a door that takes its tokens.
struct OAuthStage {
    TempFolder folder;
    Doorkeeper::Options options;

    OAuthStage() {
        folder.write("keys.json", key_set({signer().jwk("one")}));
        options.metadata_url = "https://here/.well-known/oauth-protected-resource/mcp";
        options.oauth = OAuth{};
        options.oauth->issuer = "https://issuer.example";
        options.oauth->audience = "https://here/mcp";
        options.oauth->jwks = folder / "keys.json";
    }
    // A good token, changed by `more` (null: without that claim).
    [[nodiscard]] std::string bearer(const Json& more = Json::object(),
                                     const std::string& kid = "one") const {
        Json claims{{"iss", "https://issuer.example"},
                    {"aud", "https://here/mcp"},
                    {"exp", seconds_from_now(300)},
                    {"sub", "ann"}};
        claims.merge_patch(more);
        return "Bearer " + make_jwt(signer(), {{"alg", "ES256"}, {"kid", kid}}, claims);
    }
    [[nodiscard]] std::string fault() const {
        const auto door = Doorkeeper::open(options);
        return door ? "" : door.error().message;
    }
};

}  // namespace

TEST_CASE("with nothing configured anybody comes in") {
    const auto door = opened({});
    CHECK_FALSE(door->asks());
    CHECK(door->metadata().is_null());
    CHECK(outcome(*door, std::nullopt) == "/");
    CHECK(outcome(*door, "Bearer whatever") == "/");
    CHECK(door->profiles().empty());
    door->reload();
}

TEST_CASE("a token lets in who it was made for, under their profile") {
    const TempFolder folder;
    const auto ann = make_token(), bob = make_token(), eve = make_token();
    CHECK(ann != bob);
    CHECK(ann.size() == std::string("toolhost_").size() + 43);
    const auto door = opened(
        {.token_file = write_tokens(folder, "# agents\n\n" + line_of("ann", "-", ann) + " \t\n" +
                                                line_of("bob", "readonly", bob) +
                                                "eve\t./eve.yml   sha256:" + token_hash(eve))});
    CHECK(door->asks());
    CHECK(door->metadata().is_null());
    CHECK(outcome(*door, "Bearer " + ann) == "ann/");
    CHECK(outcome(*door, "bEARER   " + bob) == "bob/readonly");
    CHECK(outcome(*door, "Bearer " + eve) == "eve/" + folder.path() + "/./eve.yml");
    CHECK(door->profiles() ==
          std::vector<std::string>{"", folder.path() + "/./eve.yml", "readonly"});
    // A text of the file is no token.
    CHECK(outcome(*door, "Bearer " + token_hash(ann)) == "401 the token is not known here");
    CHECK(outcome(*door, "Bearer " + ann + "x") == "401 the token is not known here");
}

TEST_CASE("who has no token is told how to ask, by the standard's words") {
    const TempFolder folder;
    const auto door =
        opened({.token_file = write_tokens(folder, line_of("ann", "-", make_token()))});
    for (const std::optional<std::string>& none :
         {std::optional<std::string>(), std::optional<std::string>(""),
          std::optional<std::string>("Basic YTpi"), std::optional<std::string>("Bearerx y")}) {
        const auto refusal = door->admit(none).error();
        CHECK(refusal.status == 401);
        CHECK(refusal.challenge == R"(Bearer realm="toolhost")");
        CHECK(says(refusal.message, "Authorization: Bearer TOKEN"));
    }
    for (const char* bad : {"Bearer", "Bearer ", "Bearer a b", "Bearer ===", "Bearer a=b",
                            "Bearer \"a\"", "Bearer a\tb", "Bearer caf\xc3\xa9"}) {
        CAPTURE(bad);
        const auto refusal = door->admit(bad).error();
        CHECK(refusal.status == 400);
        CHECK(says(refusal.challenge, R"(error="invalid_request")"));
    }
    const auto refusal = door->admit("Bearer nobody").error();
    CHECK(refusal.status == 401);
    CHECK(says(refusal.challenge, R"(Bearer realm="toolhost", error="invalid_token", )"));
}

TEST_CASE("every fault of a token file is named with its line") {
    const auto hash = "sha256:" + token_hash("a");
    CHECK(parse_fault("").empty());
    CHECK(parse_fault("# only this").empty());
    CHECK(parse_fault("ann\n") == "tokens:1:1: expected NAME PROFILE sha256:HEX, found 1 word");
    CHECK(says(parse_fault("\nann - " + hash + " more\n"), "tokens:2:1: expected NAME PROFILE"));
    CHECK(says(parse_fault("-ann - " + hash), "tokens:1:1: '-ann' cannot be a token's name"));
    CHECK(says(parse_fault("oauth:x - " + hash), "'oauth:x' cannot be a token's name"));
    CHECK(says(parse_fault(std::string(65, 'a') + " - " + hash), "cannot be a token's name"));
    CHECK(says(parse_fault("ann #x " + hash), "tokens:1:5: '#x' cannot stand as a profile"));
    for (const auto& bad : {std::string("sha256:"), hash + '0', hash.substr(0, hash.size() - 1),
                            "md5:" + hash, hash.substr(7), "sha256:" + std::string(64, 'A'),
                            "sha256:" + std::string(64, 'g'), hash + "\r"}) {
        CAPTURE(bad);
        CHECK(says(parse_fault("ann - " + bad + '\n'), "tokens:1:7: expected sha256: and 64"));
    }
    CHECK(says(parse_fault("ann - " + hash + "\n\nann x sha256:" + token_hash("b")),
               "tokens:3:1: 'ann' is on line 1 already"));
    CHECK(says(parse_fault("ann - " + hash + "\nbob - " + hash),
               "tokens:2:7: this token is that of 'ann' on line 1 already"));
    // All of them at once.
    CHECK(says(parse_fault("a\nb\n"),
               "tokens:1:1: expected NAME PROFILE sha256:HEX, found 1 word\n"
               "tokens:2:1: "));
}

TEST_CASE("a token file that others may touch is not trusted") {
    const TempFolder folder;
    const auto file = write_tokens(folder, line_of("ann", "-", "a"));
    CHECK(TokenFile::load(file));
    for (const mode_t mode : {0644, 0640, 0620, 0602, 0604, 0601}) {
        CAPTURE(mode);
        REQUIRE(::chmod(file.c_str(), mode) == 0);
        const auto tokens = TokenFile::load(file);
        REQUIRE_FALSE(tokens);
        CHECK(says(tokens.error().message, file + ": others than its owner may read or write"));
        CHECK(says(tokens.error().message, "run chmod 600 " + file));
        CHECK(tokens.error().code == ErrorCode::invalid_input);
    }
    REQUIRE(::chmod(file.c_str(), 0400) == 0);
    CHECK(TokenFile::load(file));
    CHECK(says(TokenFile::load(folder.path()).error().message, "must be a regular file"));
    const auto none = Doorkeeper::open({.token_file = folder / "none"});
    REQUIRE_FALSE(none);
    CHECK(says(none.error().message, "No such file or directory; toolhost token NAME --file"));
    write_tokens(folder, std::string((1 << 20) + 1, '\n'));
    CHECK(says(TokenFile::load(file).error().message, "larger than 1 MiB"));
}

TEST_CASE("a token file that is read again is the new one, or the old if that is broken") {
    const TempFolder folder;
    const auto ann = make_token(), bob = make_token();
    const auto door = opened({.token_file = write_tokens(folder, line_of("ann", "-", ann))});
    write_tokens(folder, line_of("bob", "-", bob));
    CHECK(outcome(*door, "Bearer " + ann) == "ann/");
    door->reload();
    CHECK(outcome(*door, "Bearer " + bob) == "bob/");
    CHECK(says(outcome(*door, "Bearer " + ann), "401"));
    write_tokens(folder, "nonsense\n");
    door->reload();
    CHECK(outcome(*door, "Bearer " + bob) == "bob/");
    write_tokens(folder, "");
    door->reload();
    CHECK(says(outcome(*door, "Bearer " + bob), "401"));
    CHECK(door->asks());
}

TEST_CASE("a line is added, replaced or removed, and every other byte stays") {
    const TokenEntry ann{"ann", "", token_hash("a"), 0}, bob{"bob", "x", token_hash("b"), 0};
    const auto first = with_token_line("", 0, &ann);
    CHECK(first.starts_with("# "));
    CHECK(first.ends_with(line_of("ann", "-", "a")));
    CHECK(TokenFile::parse(first, "f")->entries().size() == 1);
    const std::string text = "# top\nold - " + ("sha256:" + token_hash("o")) + "\n# end";
    CHECK(with_token_line(text, 0, &bob) == text + '\n' + line_of("bob", "x", "b"));
    CHECK(with_token_line(text, 2, &bob) == "# top\n" + line_of("bob", "x", "b") + "# end");
    CHECK(with_token_line(text, 2, nullptr) == "# top\n# end");
    CHECK(with_token_line("a\nb", 2, nullptr) == "a\n");
    CHECK(with_token_line("a\nb", 1, nullptr) == "b");
}

TEST_CASE("a token of the issuer lets in its subject") {
    OAuthStage stage;
    const auto door = opened(stage.options);
    CHECK(door->asks());
    CHECK(outcome(*door, stage.bearer()) == "oauth:ann/");
    CHECK(door->metadata() ==
          Json{{"resource", "https://here/mcp"},
               {"authorization_servers", Json::array({"https://issuer.example"})},
               {"bearer_methods_supported", Json::array({"header"})}});
    stage.options.oauth->profile = "readonly";
    CHECK(outcome(*opened(stage.options), stage.bearer()) == "oauth:ann/readonly");
}

TEST_CASE("a token of the issuer that is not right is refused with the reason") {
    const OAuthStage stage;
    const auto door = opened(stage.options);
    const std::pair<Json, std::string> kFaults[] = {
        {{{"iss", "https://other.example"}}, "another issuer"},
        {{{"aud", "https://there/mcp"}}, "another audience"},
        {{{"exp", seconds_from_now(-61)}}, "expired"},
        {{{"exp", nullptr}}, "does not say when it expires"},
        {{{"nbf", seconds_from_now(120)}}, "not valid yet"},
        {{{"sub", nullptr}}, "whose it is"},
        {{{"sub", ""}}, "whose it is"},
        {{{"sub", 7}}, "whose it is"},
        {{{"sub", "a\nb"}}, "whose it is"},
        {{{"sub", std::string(256, 'a')}}, "whose it is"},
    };
    for (const auto& [more, reason] : kFaults) {
        CAPTURE(reason);
        const auto refusal = door->admit(stage.bearer(more)).error();
        CHECK(refusal.status == 401);
        CHECK(says(refusal.message, reason));
        CHECK(says(refusal.challenge, R"(error="invalid_token")"));
        CHECK(
            says(refusal.challenge,
                 R"(, resource_metadata="https://here/.well-known/oauth-protected-resource/mcp")"));
    }
    auto tampered = stage.bearer();
    tampered[tampered.size() - 3] = tampered[tampered.size() - 3] == 'A' ? 'B' : 'A';
    CHECK(says(outcome(*door, tampered), "401 the token is not valid: its signature is wrong"));
    CHECK(says(outcome(*door, stage.bearer({}, "two")), "a key that the issuer does not have"));
    CHECK(says(outcome(*door, "Bearer abc"), "neither a token of this host nor a signed one"));
    CHECK(says(door->admit(std::nullopt).error().challenge, "resource_metadata="));
}

TEST_CASE("clients are sent to where the audience has the metadata") {
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

TEST_CASE("scopes that are asked for must be in the token") {
    OAuthStage stage;
    stage.options.oauth->scopes = {"tools:call", "tools:list"};
    const auto door = opened(stage.options);
    CHECK(door->metadata()["scopes_supported"] == Json{"tools:call", "tools:list"});
    const std::string both = "x tools:list tools:call";
    CHECK(outcome(*door, stage.bearer({{"scope", both}})) == "oauth:ann/");
    CHECK(outcome(*door, stage.bearer({{"scp", {"tools:list", "tools:call"}}})) == "oauth:ann/");
    for (const Json& less :
         {Json{{"scope", "tools:list"}}, Json{{"scope", "tools:lists tools:call"}}, Json::object(),
          Json{{"scope", 7}}, Json{{"scope", both + "s"}}}) {
        const auto refusal = door->admit(stage.bearer(less)).error();
        CHECK(refusal.status == 403);
        CHECK(says(refusal.challenge, R"(error="insufficient_scope")"));
        CHECK(says(refusal.challenge, R"(scope="tools:call tools:list")"));
        CHECK(says(refusal.message, "lacks the scope 'tools:"));
    }
    CHECK(says(door->admit(std::nullopt).error().challenge, R"(scope="tools:call tools:list")"));
}

TEST_CASE("a claim may name one of the profiles that it may name") {
    OAuthStage stage;
    stage.options.oauth->profile = "readonly";
    stage.options.oauth->profile_claim = "role";
    stage.options.oauth->profiles = {"dev", "ops"};
    const auto door = opened(stage.options);
    CHECK(outcome(*door, stage.bearer()) == "oauth:ann/readonly");
    CHECK(outcome(*door, stage.bearer({{"role", "ops"}})) == "oauth:ann/ops");
    for (const Json& role : {Json("root"), Json(""), Json("/etc/x.yml"), Json::array({"ops"})}) {
        const auto refusal = door->admit(stage.bearer({{"role", role}})).error();
        CHECK(refusal.status == 403);
        CHECK(refusal.challenge.empty());
        CHECK(says(refusal.message, "claim 'role' names a profile"));
    }
    CHECK(door->profiles() == std::vector<std::string>{"dev", "ops", "readonly"});
    stage.options.oauth->profiles.clear();
    CHECK(says(stage.fault(), "may name no profile"));
}

TEST_CASE("an issuer that cannot be meant is refused at the start") {
    const OAuthStage good;
    const auto fault = [&](auto change) {
        OAuthStage stage;
        change(*stage.options.oauth);
        return stage.fault();
    };
    CHECK(good.fault().empty());
    CHECK(says(fault([](OAuth& o) { o.issuer = ""; }), "--oauth-issuer is its URL"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "issuer"; }), "'issuer' is no OAuth issuer"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "https://i/?x"; }), "is no OAuth issuer"));
    CHECK(says(fault([](OAuth& o) { o.issuer = "http://i/"; }), "must have an https URL"));
    CHECK(says(fault([](OAuth& o) { o.audience = ""; }), "needs --oauth-audience"));
    CHECK(says(fault([](OAuth& o) { o.audience = "a b:c"; }), "cannot be an audience"));
    CHECK(says(fault([](OAuth& o) { o.audience = "https://h/#f"; }), "cannot be an audience"));
    CHECK(says(fault([](OAuth& o) { o.jwks = "http://h/keys"; }), "plain http on this machine"));
    CHECK(says(fault([](OAuth& o) { o.jwks = "ftp://h/keys"; }), "--oauth-jwks is a file"));
    CHECK(says(fault([](OAuth& o) { o.scopes = {"a b"}; }), "'a b' is no scope"));
    CHECK(says(fault([](OAuth& o) { o.jwks += ".none"; }), "keys.json.none: the issuer's keys"));
    OAuthStage broken;
    broken.folder.write("keys.json", "{}");
    CHECK(says(broken.fault(), broken.folder / "keys.json: no JSON Web Key Set"));
}

TEST_CASE("tokens of the file and of the issuer are taken side by side") {
    OAuthStage stage;
    const auto ann = make_token();
    stage.options.token_file = write_tokens(stage.folder, line_of("ann", "dev", ann));
    const auto door = opened(stage.options);
    CHECK(outcome(*door, "Bearer " + ann) == "ann/dev");
    CHECK(outcome(*door, stage.bearer()) == "oauth:ann/");  // another person
}

TEST_CASE("keys that are fetched follow the issuer when it changes them") {
    LoopbackIssuer issuer;
    const auto old = SigningKey::ed25519(), fresh = SigningKey::ed25519();
    issuer.offer("/.well-known/oauth-authorization-server",
                 dump({{"issuer", issuer.url()}, {"jwks_uri", issuer.url("/keys")}}));
    issuer.offer("/keys", key_set({old.jwk("old")}));
    Doorkeeper::Options options;
    options.oauth = OAuth{};
    options.oauth->issuer = issuer.url();
    options.oauth->audience = "https://here/mcp";
    const auto door = opened(options);
    const auto bearer = [&](const SigningKey& key, const std::string& kid) {
        return "Bearer " + make_jwt(key, {{"alg", "EdDSA"}, {"kid", kid}},
                                    {{"iss", issuer.url()},
                                     {"aud", Json::array({"https://here/mcp"})},
                                     {"exp", seconds_from_now(300)},
                                     {"sub", "ann"}});
    };
    CHECK(outcome(*door, bearer(old, "old")) == "oauth:ann/");  // waits for the first fetch
    CHECK(issuer.asked("/keys") == 1);
    // Another key under a new id, so soon after the last fetch: not asked for, whoever tries.
    issuer.offer("/keys", key_set({fresh.jwk("new")}));
    for (int i = 0; i < 20; ++i)
        CHECK(says(outcome(*door, bearer(fresh, "new")), "a key that the issuer does not have"));
    CHECK(issuer.asked("/keys") == 1);
    door->reload();  // a fetch begins, and who needs its key waits for it
    CHECK(outcome(*door, bearer(fresh, "new")) == "oauth:ann/");
    CHECK(issuer.asked("/keys") == 2);
    CHECK(says(outcome(*door, bearer(old, "old")), "a key that the issuer does not have"));
}

TEST_CASE("while the issuer's keys cannot be had, nobody is told that their token is bad") {
    OAuthStage stage;
    std::string gone;
    {
        const LoopbackIssuer issuer;
        gone = issuer.url("/keys");
    }
    stage.options.oauth->jwks = gone;
    const auto door = opened(stage.options);
    const auto refusal = door->admit(stage.bearer()).error();
    CHECK(refusal.status == 503);
    CHECK(refusal.challenge.empty());
    CHECK(says(refusal.message, "try again later"));
}

TEST_CASE("many come in at once while the files are read again") {
    OAuthStage stage;
    const auto ann = make_token();
    stage.options.token_file = write_tokens(stage.folder, line_of("ann", "-", ann));
    const auto door = opened(stage.options);
    const auto signed_token = stage.bearer();
    std::vector<std::thread> threads;
    std::atomic<int> admitted{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < 50; ++n)
                admitted += door->admit("Bearer " + ann).has_value() +
                            door->admit(signed_token).has_value();
        });
    for (int n = 0; n < 20; ++n) door->reload();
    for (auto& thread : threads) thread.join();
    CHECK(admitted == 400);
}
