#include "search/pattern.hpp"

#include <doctest/doctest.h>
#include <chrono>

namespace file_operations {
namespace {

Matcher::Found found(const std::string& pattern, const std::string& line,
                     PatternOptions options = {}, std::size_t* column = nullptr) {
    const auto compiled = Pattern::compile(pattern, options, "/pattern");
    REQUIRE(compiled);
    Matcher matcher(*compiled);
    std::size_t at = 0;
    const auto result = matcher.find(line, at);
    if (column) *column = at;
    return result;
}

TEST_SUITE("pattern") {
    using Result = Matcher::Found;

    TEST_CASE("expressions, text, case, words") {
        CHECK(found("a.c", "xabcx") == Result::yes);
        CHECK(found("a.c", "a.c", {.literal = true}) == Result::yes);
        CHECK(found("a.c", "abc", {.literal = true}) == Result::no);
        CHECK(found("x\\Ey", "x\\Ey", {.literal = true}) == Result::yes);
        CHECK(found("abc", "ABC") == Result::no);
        CHECK(found("abc", "ABC", {.ignore_case = true}) == Result::yes);
        CHECK(found("\u00e9t\u00e9", "\u00c9T\u00c9", {.ignore_case = true}) == Result::yes);
        CHECK(found("cat", "concat", {.whole_words = true}) == Result::no);
        CHECK(found("cat|dog", "a dog!", {.whole_words = true}) == Result::yes);
        CHECK(found("^.$", "\u00e9") == Result::yes);
        CHECK(found("b", "\xFF\xFE b") == Result::yes);  // among invalid UTF-8
        std::size_t column = 0;
        CHECK(found("c+", "abccc", {}, &column) == Result::yes);
        CHECK(column == 2);
    }

    TEST_CASE("an invalid expression is refused with the position") {
        const auto broken = Pattern::compile("a(b", {}, "/pattern");
        REQUIRE_FALSE(broken);
        CHECK(broken.failure().why == Refusal::Why::bad_input);
        CHECK(broken.failure().word == "/pattern");
        CHECK(broken.failure().message.find("at character 3") != std::string::npos);
    }

    TEST_CASE("the text that every match contains") {
        CHECK(required_text_of("hello") == "hello");
        CHECK(required_text_of("ab+cde") == "cde");
        CHECK(required_text_of("colou?r") == "colo");
        CHECK(required_text_of("x{2}abc") == "abc");
        CHECK(required_text_of("class \\w+Error") == "class ");
        CHECK(required_text_of("a\\.bc") == "a.bc");
        CHECK(required_text_of("[abc]def") == "def");
        CHECK(required_text_of("foo|bar") == "");
        CHECK(required_text_of("(?i)foo") == "");
        CHECK(required_text_of("\\x41bc") == "");
        CHECK(required_text_of("\u00e9*") == "");
    }

    TEST_CASE("every match contains the required text") {
        const char* patterns[] = {"[[:alpha:]]foo",
                                  "[^[:alpha:]]foo",
                                  "[[:^alpha:]x]foo",
                                  "[[:<:]]foo",
                                  "[a[:digit:]]+foo",
                                  "[[:a]foo",
                                  "[]abc]foo",
                                  "[^]abc]foo",
                                  "[\\]]foo",
                                  "[\\E]fo]+bar",
                                  "[\\Q]\\E]foo",
                                  "\\Qfoo\\E",
                                  "\\Qf.o\\Ebar",
                                  "(?i)foo",
                                  "foo(?i)bar",
                                  "foo|bar",
                                  "(foo)?bar",
                                  "(?:foo){0,}bar",
                                  "foo{0,}",
                                  "fo{0}bar",
                                  "fo{2}",
                                  "fo{,2}bar",
                                  "x{a}foo",
                                  "a{[}]foo",
                                  "a{foo",
                                  "foo(?=bar)",
                                  "(?<=foo)bar",
                                  "(?!foo)bar",
                                  "foo(?!x)",
                                  "foo(?#none)bar",
                                  "(?x)f o o # bar",
                                  "foo\\b",
                                  "\\bfoo",
                                  "\\x66oo",
                                  "f\\.o",
                                  "foo?bar",
                                  "foo*?bar",
                                  "foo++bar",
                                  "^foo$",
                                  "f..b",
                                  "\\(foo\\)",
                                  "[(]foo",
                                  "fo\u00e9?bar",
                                  "foo\\Kbar",
                                  "\\dfoo\\w"};
        const char* lines[] = {"xfoo",    "1foo",     ":foo",   "]foo",  "foo",         "FOO",
                               "fooBAR",  "bar",      "foobar", "fo",    "fbar",        "fobar",
                               "x{a}foo", "a{}foo",   "a{foo",  "]bar",  "fo]bar",      "f.obar",
                               "f.o",     "foooobar", "(foo",   "(foo)", "fo\u00e9bar", "xbar",
                               "1foox",   "a foo b",  "af",     "[foo",  "foo bar"};
        for (const char* pattern : patterns) {
            const std::string required = required_text_of(pattern);
            for (const std::string line : lines) {
                CAPTURE(std::string(pattern));
                CAPTURE(line);
                CAPTURE(required);
                const bool matches = found(pattern + std::string("(?:)"), line) == Result::yes;
                CHECK((!matches || line.find(required) != std::string::npos));
            }
        }
        CHECK(required_text_of("[[:alpha:]]foo") == "foo");
        CHECK(required_text_of("struct Foo {") == "struct Foo {");
    }

    TEST_CASE("a line that is too long to be searched completely is reported") {
        const std::string many(100000, 'a');
        CHECK(found("[b-d]", many + "c") == Result::too_costly);
        CHECK(found("a$", many + "c") != Result::yes);
        CHECK(found("[b-d]", "c" + many) == Result::yes);
    }

    TEST_CASE("no expression runs for long") {
        const auto start = std::chrono::steady_clock::now();
        const std::string many(30000, 'a');
        CHECK(found("(a*)*[bc]", many) == Result::too_costly);
        CHECK(found("(a|aa)+$", std::string(200, 'a') + "b") == Result::too_costly);
        CHECK(found("(.*)(.*)(.*)(.*)x", std::string(2000, 'a')) != Result::yes);
        CHECK(found("c", many + "c") == Result::yes);
        CHECK(found("[b-d]$", many + "c") == Result::yes);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    }
}

}  // namespace
}  // namespace file_operations
