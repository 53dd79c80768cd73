#include "net/address.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>

#include <string>

using namespace http_tool;

namespace {

bool is_public(const char* text) {
    const auto address = parse_address(text);
    REQUIRE_MESSAGE(address, std::string(text));
    return special_kind(*address) == nullptr;
}

bool allows(const std::vector<std::string>& listed, const char* text) {
    const auto rules = AddressRules::make(listed);
    REQUIRE(rules);
    return rules->allows(parse_address(text).value());
}

}  // namespace

TEST_CASE("addresses outside the public internet") {
    for (const char* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "127.0.0.1",
                             "127.255.0.1",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.1",
                             "192.0.2.1",
                             "192.168.0.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.9",
                             "224.0.0.1",
                             "239.1.1.1",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::7f00:1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "64:ff9b::7f00:1",
                             "64:ff9b::10.0.0.1",
                             "64:ff9b:1::1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "3fff::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "fe80::1",
                             "febf::1",
                             "fec0::1",
                             "ff02::1"})
        CHECK_MESSAGE(!is_public(text), std::string(text));
}

TEST_CASE("addresses of the public internet") {
    for (const char* text :
         {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
          "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0",
          "192.167.255.255", "192.169.0.0", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
          "2600::1", "2a00:1450::1"})
        CHECK_MESSAGE(is_public(text), std::string(text));
}

TEST_CASE("a policy lists single addresses, ranges, or any") {
    CHECK_FALSE(allows({}, "127.0.0.1"));
    CHECK(allows({}, "1.1.1.1"));
    CHECK(allows({"127.0.0.1"}, "127.0.0.1"));
    CHECK(allows({"127.0.0.1"}, "::ffff:127.0.0.1"));
    CHECK_FALSE(allows({"127.0.0.1"}, "127.0.0.2"));
    CHECK_FALSE(allows({"127.0.0.1"}, "::1"));
    CHECK(allows({"10.1.0.0/16", "::1"}, "10.1.255.255"));
    CHECK(allows({"10.1.0.0/16", "::1"}, "::1"));
    CHECK_FALSE(allows({"10.1.0.0/16"}, "10.2.0.0"));
    CHECK(allows({"10.0.0.0/9"}, "10.127.0.1"));
    CHECK_FALSE(allows({"10.0.0.0/9"}, "10.128.0.1"));
    CHECK(allows({"fd00::/8"}, "fdff::1"));
    CHECK(allows({"any"}, "169.254.169.254"));
    CHECK(allows({"0.0.0.0/0"}, "127.0.0.1"));
    CHECK_FALSE(allows({"0.0.0.0/0"}, "::1"));
}

TEST_CASE("invalid addresses") {
    for (const char* text : {"", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8x",
                             "10.0.0/8", "/8", "1.2.3.4.5", "10.0.0.0/-1"}) {
        const auto rules = AddressRules::make({text});
        CHECK_MESSAGE(!rules, std::string(text));
        if (!rules) CHECK(rules.error().find("is not an address") != std::string::npos);
    }
}

TEST_CASE("sockets' addresses") {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    ::inet_pton(AF_INET, "127.0.0.2", &four.sin_addr);
    CHECK(text_of(*address_of(reinterpret_cast<sockaddr*>(&four))) == "127.0.0.2");
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    ::inet_pton(AF_INET6, "fe80::1", &six.sin6_addr);
    CHECK(text_of(*address_of(reinterpret_cast<sockaddr*>(&six))) == "fe80::1");
    sockaddr unix_socket{};
    unix_socket.sa_family = AF_UNIX;
    CHECK_FALSE(address_of(&unix_socket));
}
