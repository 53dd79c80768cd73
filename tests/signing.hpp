// Generated keys, and tokens signed with them.
#pragma once

#include <doctest/doctest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <chrono>
#include <memory>
#include <string>

#include "host/base/json_text.hpp"
#include "host/serve/auth/base64url.hpp"

namespace toolhost::test {

using Json = nlohmann::json;

class SigningKey {
public:
    explicit SigningKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free) { REQUIRE(key); }
    static SigningKey rsa(unsigned bits = 2048) { return SigningKey(EVP_RSA_gen(bits)); }
    static SigningKey p256() { return SigningKey(EVP_EC_gen("P-256")); }
    static SigningKey ed25519() {
        return SigningKey(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    }

    [[nodiscard]] EVP_PKEY* get() const { return key_.get(); }
    // Its public half, extended by `more`.
    [[nodiscard]] Json jwk(const std::string& kid, const Json& more = Json::object()) const {
        Json out{{"kid", kid}, {"use", "sig"}};
        switch (EVP_PKEY_get_base_id(get())) {
            case EVP_PKEY_RSA:
                out.update({{"kty", "RSA"},
                            {"n", number(OSSL_PKEY_PARAM_RSA_N, 0)},
                            {"e", number(OSSL_PKEY_PARAM_RSA_E, 0)}});
                break;
            case EVP_PKEY_EC:
                out.update({{"kty", "EC"},
                            {"crv", "P-256"},
                            {"x", number(OSSL_PKEY_PARAM_EC_PUB_X, 32)},
                            {"y", number(OSSL_PKEY_PARAM_EC_PUB_Y, 32)}});
                break;
            default: {
                unsigned char raw[32];
                std::size_t size = sizeof raw;
                REQUIRE(EVP_PKEY_get_raw_public_key(get(), raw, &size) == 1);
                out.update({{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", encoded(raw, size)}});
            }
        }
        out.update(more);
        return out;
    }
    [[nodiscard]] std::string sign(const std::string& alg, const std::string& text) const {
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                              EVP_MD_CTX_free);
        EVP_PKEY_CTX* terms = nullptr;
        REQUIRE(EVP_DigestSignInit(context.get(), &terms, alg == "EdDSA" ? nullptr : EVP_sha256(),
                                   nullptr, get()) == 1);
        if (alg == "PS256") {
            REQUIRE(EVP_PKEY_CTX_set_rsa_padding(terms, RSA_PKCS1_PSS_PADDING) == 1);
            REQUIRE(EVP_PKEY_CTX_set_rsa_pss_saltlen(terms, RSA_PSS_SALTLEN_DIGEST) == 1);
        }
        const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
        std::size_t size = 0;
        REQUIRE(EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1);
        std::string out(size, '\0');
        REQUIRE(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                               bytes, text.size()) == 1);
        out.resize(size);
        return alg == "ES256" ? raw_numbers(out) : out;
    }

private:
    static std::string encoded(const unsigned char* bytes, std::size_t size) {
        return serve::to_base64url({reinterpret_cast<const char*>(bytes), size});
    }
    [[nodiscard]] std::string number(const char* name, int bytes) const {
        BIGNUM* value = nullptr;
        REQUIRE(EVP_PKEY_get_bn_param(get(), name, &value) == 1);
        const std::unique_ptr<BIGNUM, decltype(&BN_free)> held(value, BN_free);
        unsigned char raw[2048];
        const int size = bytes == 0 ? BN_num_bytes(value) : bytes;
        REQUIRE(BN_bn2binpad(value, raw, size) == size);
        return encoded(raw, static_cast<std::size_t>(size));
    }
    static std::string raw_numbers(const std::string& asn1) {
        const auto* at = reinterpret_cast<const unsigned char*>(asn1.data());
        const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> both(
            d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(asn1.size())), ECDSA_SIG_free);
        REQUIRE(both);
        std::string out(64, '\0');
        auto* raw = reinterpret_cast<unsigned char*>(out.data());
        REQUIRE(BN_bn2binpad(ECDSA_SIG_get0_r(both.get()), raw, 32) == 32);
        REQUIRE(BN_bn2binpad(ECDSA_SIG_get0_s(both.get()), raw + 32, 32) == 32);
        return out;
    }

    std::shared_ptr<EVP_PKEY> key_;
};

inline std::string unsigned_jwt(const Json& header, const Json& claims) {
    return serve::to_base64url(dump(header)) + '.' + serve::to_base64url(dump(claims));
}

// `header` contains the `alg` to sign with.
inline std::string make_jwt(const SigningKey& key, const Json& header, const Json& claims) {
    const auto text = unsigned_jwt(header, claims);
    return text + '.' + serve::to_base64url(key.sign(header.at("alg").get<std::string>(), text));
}

inline std::int64_t seconds_from_now(std::int64_t seconds) {
    using namespace std::chrono;
    return duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count() +
           seconds;
}

inline std::string key_set(const std::vector<Json>& keys) {
    return dump({{"keys", keys}});
}

}  // namespace toolhost::test
