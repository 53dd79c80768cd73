#include "net/address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace http_tool {
namespace {

constexpr std::size_t kMappedPrefix = 12;  // bytes before the IPv4 part of ::ffff:a.b.c.d

Address mapped(const void* four_bytes) {
    Address address{};
    address[10] = address[11] = 0xFF;
    std::memcpy(address.data() + kMappedPrefix, four_bytes, 4);
    return address;
}

bool is_mapped(const Address& address) {
    return mapped(address.data() + kMappedPrefix) == address;
}

struct Special {
    const char* range;
    const char* kind;
};
// From IANA's registries of special-purpose addresses. Ranges that translate to IPv4 in their own
// way (6to4, Teredo, local NAT64) are denied completely: HTTP is not served there.
constexpr Special kSpecial[] = {
    {"0.0.0.0/8", "this host"},
    {"10.0.0.0/8", "private"},
    {"100.64.0.0/10", "shared (carrier-grade NAT)"},
    {"127.0.0.0/8", "loopback"},
    {"169.254.0.0/16", "link-local"},
    {"172.16.0.0/12", "private"},
    {"192.0.0.0/24", "reserved"},
    {"192.0.2.0/24", "documentation"},
    {"192.88.99.0/24", "6to4 relay"},
    {"192.168.0.0/16", "private"},
    {"198.18.0.0/15", "benchmarking"},
    {"198.51.100.0/24", "documentation"},
    {"203.0.113.0/24", "documentation"},
    {"224.0.0.0/4", "multicast"},
    {"240.0.0.0/4", "reserved"},
    {"::1/128", "loopback"},
    {"::/96", "unspecified or IPv4-compatible"},
    {"64:ff9b:1::/48", "local NAT64"},
    {"100::/64", "discard"},
    {"2001::/23", "reserved (Teredo and others)"},
    {"2001:db8::/32", "documentation"},
    {"2002::/16", "6to4"},
    {"3fff::/20", "documentation"},
    {"5f00::/16", "segment routing"},
    {"fc00::/7", "unique-local"},
    {"fe80::/10", "link-local"},
    {"fec0::/10", "site-local"},
    {"ff00::/8", "multicast"},
};

struct SpecialRange {
    Range range;
    const char* kind;
};

const std::vector<SpecialRange>& special_ranges() {
    static const std::vector<SpecialRange> ranges = [] {
        std::vector<SpecialRange> all;
        for (const auto& row : kSpecial) all.push_back({parse_range(row.range).value(), row.kind});
        return all;
    }();
    return ranges;
}

}  // namespace

std::optional<Address> parse_address(std::string_view text) {
    const std::string copy(text);  // inet_pton needs a NUL
    in_addr four{};
    if (::inet_pton(AF_INET, copy.c_str(), &four) == 1) return mapped(&four);
    Address address{};
    if (::inet_pton(AF_INET6, copy.c_str(), address.data()) == 1) return address;
    return std::nullopt;
}

std::optional<Address> address_of(const sockaddr* socket_address) {
    if (socket_address->sa_family == AF_INET) {
        sockaddr_in four{};
        std::memcpy(&four, socket_address, sizeof four);
        return mapped(&four.sin_addr);
    }
    if (socket_address->sa_family != AF_INET6) return std::nullopt;
    sockaddr_in6 six{};
    std::memcpy(&six, socket_address, sizeof six);
    Address address{};
    std::memcpy(address.data(), &six.sin6_addr, address.size());
    return address;
}

std::string text_of(const Address& address) {
    char text[INET6_ADDRSTRLEN] = "";
    const bool four = is_mapped(address);
    ::inet_ntop(four ? AF_INET : AF_INET6, address.data() + (four ? kMappedPrefix : 0), text,
                sizeof text);
    return text;
}

bool Range::has(const Address& address) const {
    const std::size_t whole = bits / 8;
    if (!std::equal(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(whole),
                    address.begin()))
        return false;
    if (bits % 8 == 0) return true;
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - bits % 8));
    return ((base[whole] ^ address[whole]) & mask) == 0;
}

std::optional<Range> parse_range(std::string_view text) {
    const auto slash = text.find('/');
    const auto address = parse_address(text.substr(0, slash));
    if (!address) return std::nullopt;
    if (slash == std::string_view::npos) return Range{*address, 128};
    const bool four = text.find(':') == std::string_view::npos;
    const auto digits = text.substr(slash + 1);
    unsigned bits = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (end.ec != std::errc{} || end.ptr != digits.data() + digits.size() ||
        bits > (four ? 32u : 128u))
        return std::nullopt;
    return Range{*address, four ? bits + 8 * unsigned{kMappedPrefix} : bits};
}

const char* special_kind(const Address& address) {
    // In IPv6-only networks the public IPv4 internet is reached through this prefix.
    static const Range nat64 = parse_range("64:ff9b::/96").value();
    if (nat64.has(address)) return special_kind(mapped(address.data() + kMappedPrefix));
    for (const auto& special : special_ranges())
        if (special.range.has(address)) return special.kind;
    return nullptr;
}

Outcome<AddressRules> AddressRules::make(const std::vector<std::string>& listed) {
    AddressRules rules;
    for (const auto& text : listed) {
        if (text == "any") {
            rules.any_ = true;
        } else if (const auto range = parse_range(text)) {
            rules.listed_.push_back(*range);
        } else {
            return Failure{"'" + text +
                           "' is not an address, a range such as 10.0.0.0/8, or 'any'"};
        }
    }
    return rules;
}

bool AddressRules::allows(const Address& address) const {
    return any_ || !special_kind(address) ||
           std::any_of(listed_.begin(), listed_.end(),
                       [&](const Range& range) { return range.has(address); });
}

}  // namespace http_tool
