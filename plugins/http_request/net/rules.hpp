// The policy's rules for a request. Checked before the first request and at every redirect; the
// address is checked when the socket is created.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <toolhost/denial_reasons.hpp>
#include <vector>

#include "net/address.hpp"
#include "net/url.hpp"

namespace http_tool {

inline constexpr std::array<toolhost::DenialReason, 11> kReasons{{
    {"scheme_not_allowed", "the URL's scheme is not in allowed_schemes"},
    {"host_not_allowed", "the host is not in allowed_hosts, or is in denied_hosts"},
    {"port_not_allowed", "the port is not in allowed_ports, or belongs to another protocol"},
    {"method_not_allowed", "the method is not in allowed_methods"},
    {"address_not_allowed", "the host's address is private and not in private_addresses"},
    {"insecure_not_allowed", "verify_ssl is false and allow_insecure is not set"},
    {"token_not_allowed", "auth_env_var is not in env_tokens, or not for this origin"},
    {"request_too_large", "the request's body is larger than max_request_bytes"},
    {"body_too_large", "the response's body is larger than max_body_bytes"},
    {"path_not_allowed", "a cookie file is outside the workspace"},
    {"consent_denied", "a human or the profile did not consent to a writing method"},
}};
using Reason = toolhost::ReasonFrom<kReasons>;

struct Refusal {
    Reason reason;
    std::string message;
};

struct Rules {
    std::vector<std::string> allowed_hosts;  // globs; empty: any
    std::vector<std::string> denied_hosts;
    std::vector<std::string> allowed_methods;
    std::vector<std::string> allowed_schemes;
    std::vector<int> allowed_ports;  // empty: any that no other protocol uses
    AddressRules addresses;
    std::size_t max_body_bytes = 0;
    std::string ca_file;  // additional authorities; empty: the system's only
};

[[nodiscard]] std::optional<Refusal> check(const Rules& rules, const std::string& method,
                                           const Url& url);

}  // namespace http_tool
