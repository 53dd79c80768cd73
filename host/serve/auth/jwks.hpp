// Where an issuer's keys come from: a file, a URL, or the URL that its own metadata names.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "host/serve/auth/fetch.hpp"
#include "host/serve/auth/oauth.hpp"

namespace toolhost::serve {

// The text of the key set, read now.
[[nodiscard]] Result<std::string> read_jwks(const OAuth& oauth, const std::stop_token& stop,
                                            const FetchLimits& limits = {});

// Whether the keys are in a file, which takes no time and must be there from the start.
[[nodiscard]] bool is_jwks_file(const OAuth& oauth);

// Where an issuer's metadata may be, in the order in which they are tried: RFC 8414 puts the
// well-known name before the issuer's path, OpenID Connect behind it.
[[nodiscard]] std::vector<std::string> metadata_addresses(const std::string& issuer);

}  // namespace toolhost::serve
