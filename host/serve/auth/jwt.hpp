// A signed token (JWT, RFC 7519 in the compact form of RFC 7515): taken apart, its signature and
// its claims checked.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/serve/auth/jwk.hpp"

namespace toolhost::serve {

// What is wrong with a token, in words for who presents it.
struct TokenFault {
    std::string message;
};

class Jwt {
public:
    // Borrows `token`. The claims are not read before the signature is verified.
    [[nodiscard]] static boost::system::result<Jwt, TokenFault> read(std::string_view token);

    [[nodiscard]] const std::string& kid() const { return kid_; }  // empty: it names none
    // Of these keys one that may have signed it; with a `kid`, by that alone.
    [[nodiscard]] bool names_one_of(const KeySet& keys) const;
    [[nodiscard]] bool is_signed_by_one_of(const KeySet& keys) const;
    // Only after its signature has been checked.
    [[nodiscard]] boost::system::result<Json, TokenFault> claims() const;

private:
    [[nodiscard]] bool may_be_of(const PublicKey& key) const;

    const SigningInfo* signing_ = nullptr;
    std::string kid_, signature_;
    std::string_view signed_text_, payload_;
};

// What is asked of the claims.
struct ClaimRules {
    std::string_view issuer, audience;
    std::chrono::system_clock::time_point now{};
};
// Nothing: they are as they should be.
[[nodiscard]] std::optional<TokenFault> check_claims(const Json& claims, const ClaimRules& terms);

}  // namespace toolhost::serve
