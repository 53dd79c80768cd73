// Tokens of an OAuth issuer: whose they are, and what they let in.
#pragma once

#include <memory>

#include "host/serve/auth/key_cache.hpp"
#include "host/serve/auth/oauth.hpp"
#include "host/serve/principal.hpp"

namespace toolhost::serve {

// Why a token is not taken.
struct Denial {
    enum class Kind {
        invalid_token,       // it proves nothing
        insufficient_scope,  // it proves too little; another of the same person may do
        forbidden,           // who it speaks for may not come in
        unavailable,         // whether it proves anything cannot be told now
    };
    Kind kind = Kind::invalid_token;
    std::string message{};
};

class Issuer {
public:
    Issuer(OAuth oauth, KeyCache::Options keys);
    // With keys from where `oauth` says.
    [[nodiscard]] static Result<std::unique_ptr<Issuer>> open(const OAuth& oauth);

    // Names are "oauth:" and the token's `sub`, so that they differ from those of the token file.
    [[nodiscard]] boost::system::result<Principal, Denial> admit(std::string_view token);
    [[nodiscard]] const OAuth& terms() const { return oauth_; }
    void refresh_keys() { keys_.refresh(); }

private:
    [[nodiscard]] boost::system::result<Json, Denial> proven_claims(std::string_view token);

    OAuth oauth_;
    KeyCache keys_;
};

}  // namespace toolhost::serve
