#include "net/rules.hpp"

#include <doctest/doctest.h>

using namespace http_tool;

namespace {

Url url(const std::string& text) {
    auto parsed = parse_url(text);
    REQUIRE_MESSAGE(parsed, text);
    return *std::move(parsed);
}

Rules open_rules() {
    Rules rules;
    rules.allowed_methods = {"GET", "POST"};
    rules.allowed_schemes = {"http", "https"};
    return rules;
}

std::string refused(const Rules& rules, const std::string& where,
                    const std::string& method = "GET") {
    const auto refusal = check(rules, method, url(where));
    return refusal ? std::string(refusal->reason) : "";
}

}  // namespace

TEST_CASE("the parts of a URL") {
    const Url one = url("HTTPS://User:pw@Example.COM.:8443/a/b%20c?q=1#frag");
    CHECK(one.scheme == "https");
    CHECK(one.host == "example.com");
    CHECK(one.port == 8443);
    CHECK(one.path == "/a/b%20c");
    CHECK(one.has_credentials);
    CHECK(one.text.find("User") == std::string::npos);
    CHECK(one.text.find("frag") == std::string::npos);
    CHECK(url("http://example.com").port == 80);
    CHECK(url("https://example.com").port == 443);
    CHECK(url("http://[::1]:8080/").host == "::1");
    CHECK(url("http://b\u00fccher.example/").host == "xn--bcher-kva.example");
    CHECK(url("file:///etc/passwd").scheme == "file");
}

TEST_CASE("disguised addresses are decoded") {
    for (const char* text :
         {"http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/"})
        CHECK_MESSAGE(url(text).host == "127.0.0.1", std::string(text));
}

TEST_CASE("invalid URLs") {
    for (const char* text :
         {"", "example.com", "/path", "http://", "http://a:99999/", "http://a b/", "http://[::1",
          "http://[fe80::1%25eth0]/", "http://exa\nmple.com/"})
        CHECK_MESSAGE(!parse_url(text), std::string(text));
    CHECK_FALSE(parse_url(std::string("http://a/\0b", 11)));
}

TEST_CASE("the target of a redirect") {
    const Url base = url("http://a.example/x/y?q");
    auto joined = [&](const char* location) { return join_url(base, location)->text; };
    CHECK(joined("z") == "http://a.example/x/z");
    CHECK(joined("/z") == "http://a.example/z");
    CHECK(joined("//b.example/") == "http://b.example/");
    CHECK(joined("https://b.example/") == "https://b.example/");
    CHECK(joined("?r") == "http://a.example/x/y?r");
    CHECK(joined("/with space") == "http://a.example/with%20space");
    CHECK(join_url(base, "file:///etc/passwd")->scheme == "file");
    CHECK(join_url(base, "//user@b.example/")->has_credentials);
    CHECK_FALSE(join_url(base, "http://[bad"));
}

TEST_CASE("hosts") {
    Rules rules = open_rules();
    CHECK(refused(rules, "http://anything.example/").empty());
    rules.allowed_hosts = {"api.example.com", "*.good.example"};
    CHECK(refused(rules, "http://api.example.com/").empty());
    CHECK(refused(rules, "http://API.EXAMPLE.COM./").empty());
    CHECK(refused(rules, "http://x.y.good.example/").empty());
    CHECK(refused(rules, "http://good.example/") == "host_not_allowed");
    CHECK(refused(rules, "http://evilgood.example/") == "host_not_allowed");
    CHECK(refused(rules, "http://api.example.com.evil.example/") == "host_not_allowed");
    CHECK(refused(rules, "http://evil.example/api.example.com") == "host_not_allowed");
    CHECK(refused(rules, "http://api.example.com@evil.example/") == "host_not_allowed");
    rules.denied_hosts = {"secret.good.example"};
    CHECK(refused(rules, "http://secret.good.example/") == "host_not_allowed");
    rules.allowed_hosts.clear();
    CHECK(refused(rules, "http://secret.good.example/") == "host_not_allowed");
}

TEST_CASE("schemes, methods and ports") {
    Rules rules = open_rules();
    CHECK(refused(rules, "ftp://a.example/") == "scheme_not_allowed");
    CHECK(refused(rules, "file:///etc/passwd") == "scheme_not_allowed");
    CHECK(refused(rules, "http://a.example/", "DELETE") == "method_not_allowed");
    CHECK(refused(rules, "http://a.example:25/") == "port_not_allowed");
    CHECK(refused(rules, "http://a.example:6379/") == "port_not_allowed");
    CHECK(refused(rules, "http://a.example:8080/").empty());
    rules.allowed_ports = {443, 25};
    CHECK(refused(rules, "http://a.example:8080/") == "port_not_allowed");
    CHECK(refused(rules, "http://a.example:25/").empty());
    rules.allowed_schemes = {"https"};
    CHECK(refused(rules, "http://a.example:25/") == "scheme_not_allowed");
    CHECK(refused(rules, "https://a.example/").empty());
}

TEST_CASE("a refusal names the allowed values") {
    Rules rules = open_rules();
    rules.allowed_hosts = {"api.example.com"};
    const auto refusal = check(rules, "GET", url("http://b.example/"));
    REQUIRE(refusal);
    CHECK(refusal->message == "host 'b.example' is not allowed; allowed: api.example.com");
}

TEST_CASE("an address is the same in every spelling") {
    CHECK(url("http://[::ffff:127.0.0.2]/").host == "127.0.0.2");
    CHECK(url("http://[0:0:0:0:0:FFFF:7f00:2]/").host == "127.0.0.2");
    CHECK(url("http://[2001:DB8:0:0::1]/").host == "2001:db8::1");
    Rules rules = open_rules();
    rules.denied_hosts = {"127.0.0.2"};
    CHECK(refused(rules, "http://[::ffff:127.0.0.2]/") == "host_not_allowed");
    CHECK(refused(rules, "http://127.0.0.3/").empty());
    rules.denied_hosts = {"::ffff:127.0.0.2", "2001:DB8:0::1", "10.0.0.0/8"};
    CHECK(refused(rules, "http://127.0.0.2/") == "host_not_allowed");
    CHECK(refused(rules, "http://[2001:db8::1]/") == "host_not_allowed");
    CHECK(refused(rules, "http://10.1.2.3/") == "host_not_allowed");
}
