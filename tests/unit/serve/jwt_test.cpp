#include "host/serve/auth/jwt.hpp"

#include "tests/signing.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::key_set;
using toolhost::test::make_jwt;
using toolhost::test::SigningKey;
using toolhost::test::unsigned_jwt;

namespace {

// One key of each type, created once, because RSA takes time.
struct Keys {
    SigningKey rsa = SigningKey::rsa(), p256 = SigningKey::p256(), ed = SigningKey::ed25519();
};
const Keys& keys() {
    static const Keys all;
    return all;
}
struct Way {
    const char* alg;
    const SigningKey& key;
};
std::vector<Way> ways() {
    return {
        {"RS256", keys().rsa}, {"PS256", keys().rsa}, {"ES256", keys().p256}, {"EdDSA", keys().ed}};
}

KeySet read_keys(const std::vector<Json>& jwks) {
    auto set = read_key_set(key_set(jwks));
    REQUIRE(set);
    return *set;
}

std::string fault_of(const std::string& token) {
    const auto jwt = Jwt::read(token);
    return jwt ? "" : jwt.error().message;
}

// The same token with one bit of its `part` (0 header, 1 payload, 2 signature) changed.
std::string with_other_bit(const std::string& token, std::size_t part) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < part; ++i) begin = token.find('.', begin) + 1;
    const auto end = std::min(token.find('.', begin), token.size());
    auto bytes = from_base64url(std::string_view(token).substr(begin, end - begin)).value();
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    return token.substr(0, begin) + to_base64url(bytes) + token.substr(end);
}

}  // namespace

TEST_CASE("base64url has one text for each value") {
    for (const std::string bytes : {"", "f", "fo", "foo", "\xff\xfe\xfd", "foobar"}) {
        const auto text = to_base64url(bytes);
        CHECK(from_base64url(text) == bytes);
        CHECK(text.find_first_of("+/=") == text.npos);
    }
    CHECK(to_base64url("\xfb\xff") == "-_8");
    CHECK(from_base64url("-_8") == "\xfb\xff");
    for (const char* bad :
         {"-_9", "Zg==", "Zg=", "Z", "Zm9v Zm9v", "Zm9vY", "+/8", "Zh", "Zm9\n"}) {
        CAPTURE(bad);
        CHECK_FALSE(from_base64url(bad));
    }
}

TEST_CASE("each algorithm verifies its own signatures only") {
    for (const auto& way : ways()) {
        CAPTURE(way.alg);
        const auto set = read_keys({way.key.jwk("one")});
        const auto token = make_jwt(way.key, {{"alg", way.alg}, {"kid", "one"}}, {{"sub", "ann"}});
        const auto jwt = Jwt::read(token);
        REQUIRE(jwt);
        CHECK(jwt->is_signed_by_one_of(set));
        CHECK(jwt->claims()->at("sub") == "ann");

        const auto changed = with_other_bit(token, 2);
        CHECK(Jwt::read(changed));
        CHECK_FALSE(Jwt::read(changed)->is_signed_by_one_of(set));
        const auto other = token.substr(0, token.find('.') + 1) + to_base64url(R"({"sub":"bob"})") +
                           token.substr(token.rfind('.'));
        CHECK_FALSE(Jwt::read(other)->is_signed_by_one_of(set));
        for (const std::string signature : {"", "AA", "AAAAAAAAAAAAAAAAAAAAAAAA"})
            CHECK_FALSE(Jwt::read(token.substr(0, token.rfind('.') + 1) + signature)
                            ->is_signed_by_one_of(set));
    }
}

TEST_CASE("a signature of zeros is invalid") {
    const auto text = unsigned_jwt({{"alg", "ES256"}, {"kid", "one"}}, {{"sub", "ann"}});
    const auto token = text + '.' + to_base64url(std::string(64, '\0'));
    CHECK_FALSE(Jwt::read(token)->is_signed_by_one_of(read_keys({keys().p256.jwk("one")})));
}

TEST_CASE("unsigned tokens and those with a shared secret are refused before any key is used") {
    for (const char* alg : {"none", "None", "nOnE", "", "HS256", "HS512", "RS1", "ES384", "rs256",
                            "RSA-OAEP", "dir"}) {
        CAPTURE(alg);
        const auto text = unsigned_jwt({{"alg", alg}, {"kid", "one"}}, {{"sub", "ann"}});
        CHECK(fault_of(text + '.').find("'alg'") != std::string::npos);
        CHECK(fault_of(text + ".c2ln").find("'alg'") != std::string::npos);
    }
    CHECK_FALSE(Jwt::read(unsigned_jwt(Json::object(), Json::object()) + ".c2ln"));
    CHECK_FALSE(Jwt::read(unsigned_jwt({{"alg", 256}}, Json::object()) + ".c2ln"));
}

TEST_CASE("the algorithm must match the key") {
    for (const auto& way : ways())
        for (const auto& other : ways()) {
            CAPTURE(way.alg);
            CAPTURE(other.alg);
            // Has the right id, in a set that has a key of another type with that id.
            const auto token = make_jwt(way.key, {{"alg", way.alg}, {"kid", "one"}}, {{"a", 1}});
            const bool same = &way.key == &other.key;
            const auto set = read_keys({other.key.jwk("one")});
            CHECK(Jwt::read(token)->names_one_of(set) == same);
            CHECK(Jwt::read(token)->is_signed_by_one_of(set) == same);
        }
    // A key for one algorithm is valid for that one only.
    const auto set = read_keys({keys().rsa.jwk("one", {{"alg", "PS256"}})});
    for (const char* alg : {"RS256", "PS256"}) {
        const auto token = make_jwt(keys().rsa, {{"alg", alg}, {"kid", "one"}}, {{"a", 1}});
        CHECK(Jwt::read(token)->is_signed_by_one_of(set) == (std::string(alg) == "PS256"));
    }
}

TEST_CASE("a key is found by its id, or tried if the token has no id") {
    const auto other = SigningKey::p256();
    const auto set = read_keys({other.jwk("one"), keys().p256.jwk("two"), keys().ed.jwk("three")});
    const auto sign = [&](const Json& header) { return make_jwt(keys().p256, header, {{"a", 1}}); };
    CHECK(Jwt::read(sign({{"alg", "ES256"}, {"kid", "two"}}))->is_signed_by_one_of(set));
    CHECK(Jwt::read(sign({{"alg", "ES256"}}))->is_signed_by_one_of(set));
    CHECK_FALSE(Jwt::read(sign({{"alg", "ES256"}, {"kid", "one"}}))->is_signed_by_one_of(set));
    CHECK_FALSE(Jwt::read(sign({{"alg", "ES256"}, {"kid", "four"}}))->names_one_of(set));
    CHECK_FALSE(Jwt::read(sign({{"alg", "ES256"}, {"kid", ""}})));
    CHECK_FALSE(Jwt::read(sign({{"alg", "ES256"}, {"kid", 7}})));
}

TEST_CASE("a malformed token is refused with a message") {
    const auto good = make_jwt(keys().ed, {{"alg", "EdDSA"}}, {{"a", 1}});
    CHECK(fault_of(good).empty());
    for (const std::string& bad :
         {std::string(), std::string("."), std::string(".."), std::string("abc"),
          std::string("a.b"), good + ".x", '.' + good, good + '=', good + ' ', "e30." + good,
          std::string("e30.e30."), std::string("W10.e30.AA"), std::string(20000, 'a')}) {
        CAPTURE(bad);
        CHECK_FALSE(fault_of(bad).empty());
    }
    CHECK(fault_of(make_jwt(keys().ed, {{"alg", "EdDSA"}}, {{"a", std::string(20000, 'a')}})) ==
          "it is too long");
    const auto with = [&](const Json& more) {
        Json header{{"alg", "EdDSA"}};
        header.update(more);
        return fault_of(make_jwt(keys().ed, header, {{"a", 1}}));
    };
    CHECK(with({{"typ", "JWT"}}).empty());
    CHECK(with({{"typ", "at+jwt"}}).empty());
    CHECK(with({{"typ", "application/at+jwt"}}).empty());
    CHECK(with({{"typ", "dpop+jwt"}}).find("'typ'") != std::string::npos);
    CHECK(with({{"typ", 1}}).find("'typ'") != std::string::npos);
    CHECK(with({{"crit", Json::array({"exp"})}}).find("'crit'") != std::string::npos);
    // The token's own claims about its key are ignored.
    CHECK(with({{"jwk", keys().ed.jwk("own")}, {"jku", "https://evil.example/"}}).empty());
}

TEST_CASE("a payload that is not an object is refused") {
    const auto sign = [&](const std::string& payload) {
        const auto text = to_base64url(R"({"alg":"EdDSA"})") + '.' + payload;
        return text + '.' + to_base64url(keys().ed.sign("EdDSA", text));
    };
    const auto set = read_keys({keys().ed.jwk("one")});
    for (const auto& payload : {to_base64url("[]"), to_base64url("{"), to_base64url("\"x\""),
                                std::string("!!!"), std::string()}) {
        CAPTURE(payload);
        const auto token = sign(payload);
        const auto jwt = Jwt::read(token);
        REQUIRE(jwt);
        CHECK(jwt->is_signed_by_one_of(set));
        CHECK_FALSE(jwt->claims());
    }
}

TEST_CASE("claims must match this server and the time") {
    const auto now = std::chrono::system_clock::from_time_t(1'000'000);
    const ClaimRules terms{"https://issuer", "https://here/mcp", now};
    const Json good{{"iss", "https://issuer"}, {"aud", "https://here/mcp"}, {"exp", 1'000'100}};
    const auto fault = [&](const Json& more) {
        auto claims = good;
        claims.merge_patch(more);
        const auto found = check_claims(claims, terms);
        return found ? found->message : "";
    };
    CHECK(fault(Json::object()).empty());
    CHECK(fault({{"aud", Json::array({"x", "https://here/mcp"})}}).empty());
    CHECK(fault({{"exp", 999'941}}).empty());  // within the leeway
    CHECK(fault({{"exp", 999'940.5}}).empty());
    CHECK(fault({{"nbf", 1'000'060}}).empty());

    const std::string issuer = "it was issued by another issuer",
                      audience = "it is for another audience";
    CHECK(fault({{"iss", "https://issuer/"}}) == issuer);
    CHECK(fault({{"iss", nullptr}}) == issuer);
    CHECK(fault({{"iss", Json::array({"https://issuer"})}}) == issuer);
    CHECK(fault({{"aud", "https://here"}}) == audience);
    CHECK(fault({{"aud", nullptr}}) == audience);
    CHECK(fault({{"aud", Json::array()}}) == audience);
    CHECK(fault({{"aud", Json::array({7, "https://here/mcp/"})}}) == audience);
    CHECK(fault({{"aud", {{"https://here/mcp", 1}}}}) == audience);
    CHECK(fault({{"exp", nullptr}}) == "it has no expiry ('exp')");
    CHECK(fault({{"exp", "1000100"}}) == "it has no expiry ('exp')");
    CHECK(fault({{"exp", 999'940}}) == "it has expired");
    CHECK(fault({{"exp", -1e300}}) == "it has expired");
    CHECK(fault({{"nbf", 1'000'061}}) == "it is not valid yet");
    CHECK(fault({{"nbf", "soon"}}) == "its 'nbf' is not a time");
}

TEST_CASE("only secure keys of a key set are accepted") {
    const auto& [rsa, p256, ed] = keys();
    const auto taken = [](const Json& jwk) { return PublicKey::read(jwk) != nullptr; };
    for (const auto* key : {&rsa, &p256, &ed}) {
        const auto good = key->jwk("one");
        CHECK(taken(good));
        CHECK_FALSE(taken(key->jwk("one", {{"use", "enc"}})));
        CHECK_FALSE(taken(key->jwk("one", {{"use", 1}})));
        CHECK_FALSE(taken(key->jwk("one", {{"key_ops", Json::array({"sign"})}})));
        CHECK(taken(key->jwk("one", {{"key_ops", Json::array({"verify"})}})));
        for (const char* needed : {"kty", "crv", "n", "e", "x", "y"}) {
            if (!good.contains(needed)) continue;
            CAPTURE(needed);
            auto bad = good;
            bad.erase(needed);
            CHECK_FALSE(taken(bad));
            bad[needed] = "AQ";
            if (std::string(needed) != "e") CHECK_FALSE(taken(bad));
            bad[needed] = Json::array();
            CHECK_FALSE(taken(bad));
        }
    }
    CHECK_FALSE(taken(rsa.jwk("one", {{"e", "AQ"}})));  // 1
    CHECK_FALSE(taken(rsa.jwk("one", {{"e", "Ag"}})));  // 2
    CHECK_FALSE(taken(rsa.jwk("one", {{"e", to_base64url(std::string(9, '\1'))}})));
    CHECK_FALSE(taken(SigningKey::rsa(1024).jwk("weak")));
    CHECK_FALSE(taken(rsa.jwk("one", {{"n", to_base64url(std::string(2048, '\xff'))}})));
    CHECK_FALSE(taken(p256.jwk("one", {{"y", p256.jwk("one")["x"]}})));  // not on the curve
    CHECK_FALSE(taken({{"kty", "oct"}, {"k", "c2VjcmV0"}, {"kid", "one"}}));
    CHECK_FALSE(taken(Json::array()));

    CHECK(read_keys({{{"kty", "new"}}, ed.jwk("one"), 7, {{"kty", "oct"}, {"k", "AA"}}}).size() ==
          1);
    for (const char* bad : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[]})",
                            R"({"keys":[{"kty":"oct","k":"AA"}]})", "not json"}) {
        CAPTURE(bad);
        const auto set = read_key_set(bad);
        REQUIRE_FALSE(set);
        CHECK(set.error().message.starts_with("not a JSON Web Key Set: "));
    }
}
