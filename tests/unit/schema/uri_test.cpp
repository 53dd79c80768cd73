#include <doctest/doctest.h>

#include "host/schema/uri.hpp"

using toolhost::schema::percent_decode;
using toolhost::schema::resolve_uri;

TEST_CASE("RFC 3986, 5.4: reference resolution") {
    struct Row {
        const char *reference, *target;
    };
    const Row rows[] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.reference);
        CHECK(resolve_uri("http://a/b/c/d;p?q", row.reference) == row.target);
    }
    CHECK(resolve_uri("", "x.json") == "x.json");
    CHECK(resolve_uri("http://a", "x") == "http://a/x");
    CHECK(resolve_uri("urn:a:b", "#x") == "urn:a:b#x");
}

TEST_CASE("percent decoding keeps invalid escapes") {
    CHECK(percent_decode("a%25b%20") == "a%b ");
    CHECK(percent_decode("%") == "%");
    CHECK(percent_decode("%4") == "%4");
    CHECK(percent_decode("%zz") == "%zz");
}
