// Formats that the suite's optional tests do not cover.
#include <doctest/doctest.h>

#include <initializer_list>

#include "host/schema/formats.hpp"

using toolhost::schema::find_format;

namespace {

void check(const char* name, std::initializer_list<const char*> good,
           std::initializer_list<const char*> bad) {
    const auto* format = find_format(name);
    REQUIRE(format != nullptr);
    CHECK(format->check(format->example));
    for (const char* text : good) CHECK_MESSAGE(format->check(text), name << ": " << text);
    for (const char* text : bad) CHECK_MESSAGE(!format->check(text), name << ": " << text);
}

}  // namespace

TEST_CASE("formats") {
    check("date", {"2024-02-29", "2000-02-29"},
          {"2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1"});
    check("time", {"23:59:60Z", "12:00:00.5+01:00"},
          {"12:00:60Z", "24:00:00Z", "12:00:00", "12:00Z"});
    check("date-time", {"2024-05-01t12:00:00z"}, {"2024-05-01 12:00:00Z", "2024-05-01"});
    check("duration", {"P2W", "PT36H", "P1Y2M3DT4H5M6S"},
          {"P", "PT", "P1", "P1Y2D", "P1S", "P2W1D", "1D"});
    check("email", {"a.b+c@example.com", "\"a b\"@x.org", "a@[192.0.2.1]", "a@[IPv6:::1]"},
          {"a", "a@", "@b", "a..b@c.d", ".a@b.c", "a@[1]", "a b@c.d"});
    check("hostname", {"localhost", "a-b.c"}, {"", "-a", "a-", "a..b", "a_b", "a.", "ä.de"});
    check("ipv4", {"0.0.0.0", "255.255.255.255"},
          {"256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", ""});
    check("ipv6", {"::", "1::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::8"},
          {":", ":::", "1:2:3:4:5:6:7", "1::2::3", "12345::", "1:2:3:4:5:6:7:8:9", "::1%eth0",
           "1.2.3.4::"});
    check("uri", {"urn:a:b", "http://[::1]:80/a?b#c", "mailto:a@b.c"},
          {"a/b", "//a", "http://a b", "http://[::1", ":a", "http://a:b", "http:%zz",
           "http://a#b#c"});
    check("uri-reference", {"", "a", "../a?b", "//h/p", "#f", "./a:b"},
          {"\\a", "1a:b", "a b", "%2"});
    check("uuid", {"123E4567-E89B-12D3-A456-426614174000"},
          {"123e4567e89b12d3a456426614174000", ""});
    check("regex", {"", "a|b"}, {"(", "\\a"});
    check("json-pointer", {"", "/", "/a~0~1/0"}, {"a", "/~", "/~2", "#/a"});
    CHECK(find_format("unknown") == nullptr);
}
