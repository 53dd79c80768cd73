// Hosts in a policy: names, globs, addresses and ranges; and the origins that may receive a secret.
#pragma once

#include <string>
#include <vector>

#include "net/address.hpp"
#include "net/outcome.hpp"
#include "net/url.hpp"

namespace http_tool {

// Converts international names to their DNS form. Fails for entries that cannot match anything,
// because they would deny nothing.
[[nodiscard]] Outcome<std::vector<std::string>> spell_hosts(const std::vector<std::string>& listed);

// `host` as in a Url. Addresses are compared by value, not by spelling.
[[nodiscard]] bool matches_host(const std::vector<std::string>& listed, const std::string& host);
[[nodiscard]] bool matches_address(const std::vector<std::string>& listed, const Address& address);

// Each a host, which means https on its usual port, or an origin: "http://host:8080".
[[nodiscard]] bool matches_origin(const std::vector<std::string>& listed, const Url& url);

}  // namespace http_tool
