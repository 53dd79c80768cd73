// Addresses: e-mail (RFC 5321), hosts (RFC 1123), IP (RFC 2673, RFC 4291), URIs (RFC 3986).
#pragma once

#include <string_view>

namespace toolhost::schema {

[[nodiscard]] bool is_email(std::string_view text);
[[nodiscard]] bool is_hostname(std::string_view text);
[[nodiscard]] bool is_ipv4(std::string_view text);
[[nodiscard]] bool is_ipv6(std::string_view text);
[[nodiscard]] bool is_uri(std::string_view text);
[[nodiscard]] bool is_uri_reference(std::string_view text);

}  // namespace toolhost::schema
