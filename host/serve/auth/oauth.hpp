// An OAuth 2.1 issuer whose tokens are taken, and what is asked of them.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::serve {

struct OAuth {
    std::string issuer{};    // as the claim `iss` says it, to the letter
    std::string audience{};  // what `aud` must name: this server, as its resource identifier
    // Where its keys are: a file, or an http(s) URL. Empty: where the issuer's own metadata says.
    std::string jwks{};
    std::string profile{};        // of those who come with its tokens; empty: the host's own
    std::string profile_claim{};  // a claim that names another profile; empty: none may
    std::vector<std::string> profiles{};  // those that it may name
    std::vector<std::string> scopes{};    // all of these are asked for
};

// Whether it can be meant: what is missing, or would open a door to strangers.
[[nodiscard]] Result<void> check(const OAuth& oauth);

// What a client reads to learn where it gets a token (RFC 9728).
[[nodiscard]] Json resource_metadata(const OAuth& oauth);
// Where clients look for that document: at the audience's host, its path behind the well-known
// name. Empty: the audience is not an http(s) URL.
[[nodiscard]] std::string resource_metadata_url(const OAuth& oauth);

}  // namespace toolhost::serve
