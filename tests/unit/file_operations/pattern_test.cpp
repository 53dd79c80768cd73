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
        CHECK(found("b", "\xFF\xFE b") == Result::yes);  // no UTF-8 around it
        std::size_t column = 0;
        CHECK(found("c+", "abccc", {}, &column) == Result::yes);
        CHECK(column == 2);
    }

    TEST_CASE("what is no expression is said to be none, and where") {
        const auto broken = Pattern::compile("a(b", {}, "/pattern");
        REQUIRE_FALSE(broken);
        CHECK(broken.refusal().why == Refusal::Why::bad_input);
        CHECK(broken.refusal().word == "/pattern");
        CHECK(broken.refusal().message.find("at character 3") != std::string::npos);
    }

    TEST_CASE("the text that every match has") {
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
