#include "net/hosts.hpp"

#include <doctest/doctest.h>

using namespace http_tool;

namespace {

Url url_of(const std::string& text) {
    auto parsed = parse_url(text);
    REQUIRE_MESSAGE(parsed, text);
    return *std::move(parsed);
}

}  // namespace

TEST_CASE("listed hosts are converted to DNS form, or refused") {
    const auto spelled = spell_hosts(
        {"b\u00fccher.example", "*.B\u00dcCHER.example.", "10.0.0.0/8", "*.example.com", "[::1]"});
    REQUIRE(spelled);
    CHECK(matches_host(*spelled, url_of("http://b\u00fccher.example/").host));
    CHECK(matches_host(*spelled, url_of("http://shop.b\u00fccher.example/").host));
    CHECK(matches_host(*spelled, "10.9.8.7"));
    CHECK(matches_host(*spelled, "::1"));
    CHECK_FALSE(matches_host(*spelled, "example.com"));
    for (const char* never : {"b\u00fc*.example", "", "10.0.0.0/99", "a/b", "\xFF.example"})
        CHECK_MESSAGE(!spell_hosts({never}), std::string(never));
}

TEST_CASE("a secret's origins") {
    const Url secure = url_of("https://api.example.com/x"),
              plain = url_of("http://api.example.com/x");
    CHECK(matches_origin({"api.example.com"}, secure));
    CHECK(matches_origin({"*.example.com"}, secure));
    CHECK_FALSE(matches_origin({"api.example.com"}, plain));
    CHECK_FALSE(matches_origin({"*"}, plain));
    CHECK_FALSE(matches_origin({"api.example.com"}, url_of("https://api.example.com:8443/")));
    CHECK(matches_origin({"https://*.example.com:8443"}, url_of("https://api.example.com:8443/")));
    CHECK(matches_origin({"http://api.example.com"}, plain));
    CHECK_FALSE(matches_origin({"http://api.example.com"}, secure));
    CHECK_FALSE(matches_origin({"http://api.example.com:80x"}, plain));
    CHECK(matches_origin({"http://[::1]:8080"}, url_of("http://[0::1]:8080/")));
    CHECK_FALSE(matches_origin({"http://[::1]"}, url_of("http://[::1]:8080/")));
}

TEST_CASE("secrets are kept from http to https of the same host only") {
    const Url plain = url_of("http://a.example/"), secure = url_of("https://a.example/");
    CHECK(secure.may_receive_data_for(plain));
    CHECK(secure.may_receive_data_for(secure));
    CHECK_FALSE(plain.may_receive_data_for(secure));
    CHECK_FALSE(url_of("https://b.example/").may_receive_data_for(plain));
    CHECK_FALSE(url_of("https://a.example:8443/").may_receive_data_for(plain));
    CHECK_FALSE(secure.may_receive_data_for(url_of("http://a.example:8080/")));
}
