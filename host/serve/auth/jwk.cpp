#include "host/serve/auth/jwk.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/serve/auth/base64url.hpp"

namespace toolhost::serve {
namespace {

constexpr SigningInfo kSignings[] = {
    {Signing::rs256, "RS256", KeyKind::rsa},
    {Signing::ps256, "PS256", KeyKind::rsa},
    {Signing::es256, "ES256", KeyKind::p256},
    {Signing::eddsa, "EdDSA", KeyKind::ed25519},
};

// RFC 7518 asks for 2048 bits at least. Beyond these a check takes longer than an answer should.
constexpr int kLeastRsaBits = 2048, kMaxRsaBits = 8192;
constexpr std::size_t kMaxExponentBytes = 8;
constexpr std::size_t kCoordinateBytes = 32;  // of P-256, and of each half of its signature
constexpr std::size_t kMaxKeys = 64;

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* held) const {
        Free(held);
    }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using ParameterBuild = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;

// What OpenSSL says of a bad key or signature stays on the thread, where the next TLS connection
// would take it for a fault of its own.
struct QuietErrors {
    QuietErrors() = default;
    ~QuietErrors() { ERR_clear_error(); }
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;
};

const unsigned char* key_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string member(const Json& jwk, const char* name) {
    const auto it = jwk.find(name);
    return it != jwk.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string decoded(const Json& jwk, const char* name) {
    return from_base64url(member(jwk, name)).value_or("");
}

std::shared_ptr<EVP_PKEY> made_key(const char* type, OSSL_PARAM_BLD* build) {
    const Parameters parameters(OSSL_PARAM_BLD_to_param(build));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
        return nullptr;
    return {key, EVP_PKEY_free};
}

std::shared_ptr<EVP_PKEY> rsa_key(const Json& jwk) {
    const auto n = decoded(jwk, "n"), e = decoded(jwk, "e");
    if (n.size() > kMaxRsaBits / 8 + 1 || e.empty() || e.size() > kMaxExponentBytes) return nullptr;
    const Number modulus(BN_bin2bn(key_bytes(n), static_cast<int>(n.size()), nullptr));
    const Number exponent(BN_bin2bn(key_bytes(e), static_cast<int>(e.size()), nullptr));
    const ParameterBuild build(OSSL_PARAM_BLD_new());
    if (!modulus || !exponent || !build) return nullptr;
    const int bits = BN_num_bits(modulus.get());
    if (bits < kLeastRsaBits || bits > kMaxRsaBits) return nullptr;
    // With 1 every text signs itself, and an even one cannot be a key's.
    if (BN_is_one(exponent.get()) || !BN_is_odd(exponent.get())) return nullptr;
    if (OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
        OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1)
        return nullptr;
    return made_key("RSA", build.get());
}

std::shared_ptr<EVP_PKEY> p256_key(const Json& jwk) {
    const auto x = decoded(jwk, "x"), y = decoded(jwk, "y");
    if (x.size() != kCoordinateBytes || y.size() != kCoordinateBytes) return nullptr;
    const std::string point = '\x04' + x + y;  // uncompressed
    const ParameterBuild build(OSSL_PARAM_BLD_new());
    if (!build ||
        OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
            1 ||
        OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                         point.size()) != 1)
        return nullptr;
    return made_key("EC", build.get());  // refuses a point that is not on the curve
}

std::shared_ptr<EVP_PKEY> ed25519_key(const Json& jwk) {
    const auto x = decoded(jwk, "x");
    EVP_PKEY* key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key_bytes(x), x.size());
    return key ? std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free) : nullptr;
}

struct KeyForm {
    std::string_view kty, crv;
    KeyKind kind;
    std::shared_ptr<EVP_PKEY> (*read)(const Json& jwk);
};
constexpr KeyForm kForms[] = {
    {"RSA", "", KeyKind::rsa, rsa_key},
    {"EC", "P-256", KeyKind::p256, p256_key},
    {"OKP", "Ed25519", KeyKind::ed25519, ed25519_key},
};

// A key may say what it is for; one that says nothing is for anything.
bool is_for_signatures(const Json& jwk) {
    if (jwk.contains("use") && member(jwk, "use") != "sig") return false;
    const auto operations = jwk.find("key_ops");
    return operations == jwk.end() ||
           (operations->is_array() &&
            std::find(operations->begin(), operations->end(), Json("verify")) != operations->end());
}

// A JWT has the two numbers one behind the other, OpenSSL wants them as ASN.1.
std::string as_asn1(std::string_view signature) {
    if (signature.size() != 2 * kCoordinateBytes) return "";
    const std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>> both(ECDSA_SIG_new());
    Number r(BN_bin2bn(key_bytes(signature), kCoordinateBytes, nullptr));
    Number s(BN_bin2bn(key_bytes(signature.substr(kCoordinateBytes)), kCoordinateBytes, nullptr));
    if (!both || !r || !s || ECDSA_SIG_set0(both.get(), r.get(), s.get()) != 1) return "";
    (void)r.release(), (void)s.release();  // they are its own now
    unsigned char* out = nullptr;
    const int size = i2d_ECDSA_SIG(both.get(), &out);
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> held(
        out, [](unsigned char* bytes) { OPENSSL_free(bytes); });
    return size > 0 ? std::string(reinterpret_cast<char*>(out), static_cast<std::size_t>(size))
                    : std::string();
}

}  // namespace

const SigningInfo* find_signing(std::string_view alg) {
    for (const auto& signing : kSignings)
        if (signing.name == alg) return &signing;
    return nullptr;
}

std::shared_ptr<const PublicKey> PublicKey::read(const Json& jwk) {
    const QuietErrors quiet;
    if (!jwk.is_object() || !is_for_signatures(jwk)) return nullptr;
    const auto kty = member(jwk, "kty"), crv = member(jwk, "crv");
    for (const auto& form : kForms) {
        if (form.kty != kty || (!form.crv.empty() && form.crv != crv)) continue;
        auto key = std::make_shared<PublicKey>();
        key->key_ = form.read(jwk);
        if (!key->key_) return nullptr;
        key->kind_ = form.kind;
        key->kid_ = member(jwk, "kid");
        key->alg_ = member(jwk, "alg");
        return key;
    }
    return nullptr;
}

bool PublicKey::fits(const SigningInfo& signing) const {
    return kind_ == signing.kind && (alg_.empty() || alg_ == signing.name);
}

bool PublicKey::has_signed(Signing signing, std::string_view text,
                           std::string_view signature) const {
    const QuietErrors quiet;
    const std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>> check(EVP_MD_CTX_new());
    const EVP_MD* digest = signing == Signing::eddsa ? nullptr : EVP_sha256();
    EVP_PKEY_CTX* terms = nullptr;  // belongs to `check`
    if (!check || EVP_DigestVerifyInit(check.get(), &terms, digest, nullptr, key_.get()) != 1)
        return false;
    if (signing == Signing::ps256 &&
        (EVP_PKEY_CTX_set_rsa_padding(terms, RSA_PKCS1_PSS_PADDING) != 1 ||
         EVP_PKEY_CTX_set_rsa_pss_saltlen(terms, RSA_PSS_SALTLEN_DIGEST) != 1))
        return false;
    std::string asn1;
    if (signing == Signing::es256) signature = asn1 = as_asn1(signature);
    return EVP_DigestVerify(check.get(), key_bytes(signature), signature.size(), key_bytes(text),
                            text.size()) == 1;
}

Result<KeySet> read_key_set(std::string_view text) {
    const auto fault = [](std::string what) {
        return Error{ErrorCode::invalid_input, "not a JSON Web Key Set: " + std::move(what), {}};
    };
    const auto document = parse_json(text);
    if (!document) return fault(document.error().message);
    const auto keys = document->find("keys");
    if (!document->is_object() || keys == document->end() || !keys->is_array())
        return fault("it has no array \"keys\"");
    KeySet set;
    for (const auto& jwk : *keys) {
        if (set.size() == kMaxKeys) break;
        if (auto key = PublicKey::read(jwk)) set.push_back(std::move(key));
    }
    if (set.empty())
        return fault("none of its " + std::to_string(keys->size()) +
                     " keys is usable; supported are RSA of at least 2048 bits, P-256 and Ed25519");
    return set;
}

}  // namespace toolhost::serve
