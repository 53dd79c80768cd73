// The keys an issuer signs with, read from its JSON Web Key Set (RFC 7517), and what they prove.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace toolhost::serve {

enum class KeyKind { rsa, p256, ed25519 };
enum class Signing { rs256, ps256, es256, eddsa };

// A way to sign that is taken. There is neither `none` nor a way with a shared secret: who could
// check such a signature could make it, too.
struct SigningInfo {
    Signing signing;
    std::string_view name;  // as `alg` says it
    KeyKind kind;           // what a key must be to sign so
};
[[nodiscard]] const SigningInfo* find_signing(std::string_view alg);

class PublicKey {
public:
    // From one JWK. Null: not a key, not for signatures, of an unsupported kind, or too weak.
    [[nodiscard]] static std::shared_ptr<const PublicKey> read(const Json& jwk);

    [[nodiscard]] const std::string& kid() const { return kid_; }  // empty: it has none
    // Whether it may sign so: its kind fits, and it does not say that it is for another way.
    [[nodiscard]] bool fits(const SigningInfo& signing) const;
    [[nodiscard]] bool has_signed(Signing signing, std::string_view text,
                                  std::string_view signature) const;

private:
    std::string kid_, alg_;
    KeyKind kind_ = KeyKind::rsa;
    std::shared_ptr<evp_pkey_st> key_;
};

using KeySet = std::vector<std::shared_ptr<const PublicKey>>;

// Keys that cannot be used are passed over, as the standard asks; a set without any that can is a
// fault.
[[nodiscard]] Result<KeySet> read_key_set(std::string_view text);

}  // namespace toolhost::serve
