// Internet addresses, and detection of those in private networks.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/outcome.hpp"

namespace http_tool {

// IPv4 addresses are stored as ::ffff:a.b.c.d, so that both forms are equal.
using Address = std::array<std::uint8_t, 16>;

[[nodiscard]] std::optional<Address> parse_address(std::string_view text);
// Returns nothing if it is neither IPv4 nor IPv6.
[[nodiscard]] std::optional<Address> address_of(const sockaddr* socket_address);
[[nodiscard]] std::string text_of(const Address& address);

struct Range {
    Address base{};
    unsigned bits = 128;

    [[nodiscard]] bool has(const Address& address) const;
};
// "10.0.0.0/8", "::1", "127.0.0.1".
[[nodiscard]] std::optional<Range> parse_range(std::string_view text);

// The kind of an address that is not on the public internet ("loopback", "private", ...); null for
// a public one.
[[nodiscard]] const char* special_kind(const Address& address);

// Allows all public addresses, and others that are listed.
class AddressRules {
public:
    // Each entry is an address, a range, or "any".
    [[nodiscard]] static Outcome<AddressRules> make(const std::vector<std::string>& listed);

    [[nodiscard]] bool allows(const Address& address) const;

private:
    bool any_ = false;
    std::vector<Range> listed_;
};

}  // namespace http_tool
