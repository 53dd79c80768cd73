// Hosts as a policy lists them: names, globs, addresses and ranges; and the origins that a secret
// is meant for.
#pragma once

#include <string>
#include <vector>

#include "net/address.hpp"
#include "net/outcome.hpp"
#include "net/url.hpp"

namespace http_tool {

// International names as name servers know them. A Failure for what could never match: an entry
// that denies nothing must not look as if it did.
[[nodiscard]] Outcome<std::vector<std::string>> spell_hosts(const std::vector<std::string>& listed);

// `host` as in a Url. An address matches by its value, not by its spelling.
[[nodiscard]] bool matches_host(const std::vector<std::string>& listed, const std::string& host);
[[nodiscard]] bool matches_address(const std::vector<std::string>& listed, const Address& address);

// Each a host, which means https on its usual port, or an origin: "http://host:8080".
[[nodiscard]] bool matches_origin(const std::vector<std::string>& listed, const Url& url);

}  // namespace http_tool
