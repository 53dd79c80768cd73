// ECMA-262 patterns on PCRE2.
#include <doctest/doctest.h>

#include "host/schema/pattern.hpp"

using toolhost::schema::Match;
using toolhost::schema::Pattern;

namespace {

bool matches(const char* pattern, std::string_view text) {
    const auto compiled = Pattern::compile(pattern);
    REQUIRE_MESSAGE(compiled.has_value(), pattern);
    toolhost::schema::Budget budget(1'000'000);
    return compiled->search(text, budget) == Match::yes;
}

}  // namespace

TEST_CASE("patterns match as ECMA-262 defines") {
    CHECK(matches("b", "abc"));  // not anchored
    CHECK_FALSE(matches("^a$", "a\n"));
    CHECK_FALSE(matches("^.$", "\n"));
    CHECK_FALSE(matches("^.$", "\u2028"));
    CHECK(matches("^.$", "\u0085"));
    CHECK(matches("^.$", "🐲"));
    CHECK(matches("^\\ud83d\\udc32$", "🐲"));
    CHECK(matches("^\\u{1F432}$", "🐲"));
    CHECK(matches("^\\v$", "\v"));
    CHECK_FALSE(matches("^\\v$", "\n"));
    CHECK(matches("^[\\s]$", "\ufeff"));
    CHECK(matches("^[\\S]$", "é"));
    CHECK_FALSE(matches("^\\w$", "é"));
    CHECK(matches("^\\p{Lu}\\p{Script=Greek}\\P{L}$", "Éα1"));
    CHECK(matches("^[\\p{Letter}\\d_-]+$", "é1_-"));
    CHECK(matches("^[^]$", "\n"));
    CHECK_FALSE(matches("[]", "a"));
    CHECK(matches("^[[:alpha:]]$", "a]"));  // a class of '[', ':', letters; then ']'
    CHECK(matches("^[a-\\d]+$", "a-5"));
    CHECK(matches("^(?<year>\\d{4})-\\k<year>$", "2024-2024"));
    CHECK(matches("^(a)?b\\1$", "b"));  // a group that did not match equals the empty string
    CHECK(matches("^(?=.*\\d)(?!x).{3}(?<=c)$", "1bc"));
    CHECK(matches("^[\\ud800-\\udfff]?a$", "a"));
}

TEST_CASE("unambiguous extensions of other languages are accepted") {
    CHECK(matches("^[\\w\\-\\.]+\\@x\\_$", "a-b.c@x_"));
    CHECK(matches("^{a}]$", "{a}]"));
    CHECK(matches("^a{,2}$", "a{,2}"));
}

TEST_CASE("patterns outside ECMA-262 are refused, including PCRE2's extensions") {
    for (const char* pattern : {"(",
                                ")",
                                "[",
                                "a**",
                                "a++",
                                "*",
                                "(?R)",
                                "(?1)",
                                "(?>a)",
                                "(?i)a",
                                "(?P<n>a)",
                                "(*FAIL)",
                                "(*LIMIT_MATCH=1)a",
                                "\\a",
                                "\\A",
                                "\\z",
                                "\\Qa\\E",
                                "\\K",
                                "\\C",
                                "\\R",
                                "\\h",
                                "\\G",
                                "\\x{41}",
                                "\\u12",
                                "\\1",
                                "\\k<n>",
                                "[b-a]",
                                "\\",
                                "\\p{NoSuchThing}",
                                "\\pL",
                                "a{2}{3}",
                                "(?#comment)",
                                "\xff",
                                "[\xff]"}) {
        CAPTURE(pattern);
        CHECK_FALSE(Pattern::compile(pattern).has_value());
    }
}

TEST_CASE("invalid UTF-8 does not match, and is harmless") {
    CHECK_FALSE(matches("^.$", "\xff"));
    CHECK(matches("b$",
                  "\xff"
                  "b"));
}

TEST_CASE("a pattern in the middle of a long text") {
    const auto pattern = Pattern::compile("^(a|b)*$");
    REQUIRE(pattern.has_value());
    toolhost::schema::Budget budget(1'000'000);
    CHECK(pattern->search(std::string(20000, 'a'), budget) == Match::yes);
}
