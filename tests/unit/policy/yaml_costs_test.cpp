// Documents that try to exhaust the parser's time, memory or stack.
#include <chrono>

#include "host/policy/yaml_document.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

std::string repeated(const std::string& text, std::size_t bytes) {
    std::string out;
    while (out.size() + text.size() <= bytes) out += text;
    return out;
}

std::string sentence(const std::string& text) {
    auto document = parse_yaml(text, "f");
    return document ? "" : document.error().sentence;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an alias counts as everything that it represents") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const auto own = "a" + std::to_string(i), below = "*a" + std::to_string(i - 1);
        bomb += own + ": &" + own + " [" + below + repeated(", " + below, 45) + "]\n";
    }
    auto document = parse_yaml(bomb, "f");
    REQUIRE_FALSE(document);
    CHECK(has(document.error().sentence, "more than 10000 values"));
    CHECK(document.error().place.line == 4);
    // Deep instead of wide: each contains the previous one.
    std::string tower = "a0: &a0 [x]\n";
    for (int i = 1; i < 40; ++i)
        tower += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
                 std::to_string(i - 1) + "]\n";
    CHECK(has(sentence(tower), "nested deeper than 32"));
}

TEST_CASE("the limits are exact") {
    auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    CHECK(sentence(nested(33)) == "");
    CHECK(has(sentence(nested(34)), "nested deeper than 32"));
    CHECK(sentence("a: &x " + nested(32) + "\nb: *x") == "");
    CHECK(has(sentence("a: &x " + nested(32) + "\nb: [*x]"), "nested deeper than 32"));
    CHECK(sentence("[" + repeated("1,", 2 * 9999) + "]") == "");
    CHECK(has(sentence("[" + repeated("1,", 2 * 10000) + "]"), "more than 10000 values"));
    CHECK(sentence("# " + std::string(kMaxYamlBytes - 2, 'x')) == "");
    CHECK(has(sentence("# " + std::string(kMaxYamlBytes - 1, 'x')), "larger than 1048576"));
}

TEST_CASE("any megabyte of text is parsed quickly") {
    const auto answered_soon = [](const std::string& before, const std::string& pattern,
                                  std::size_t bytes) {
        CAPTURE(before);
        CAPTURE(pattern);
        const auto start = std::chrono::steady_clock::now();
        (void)parse_yaml(before + repeated(pattern, bytes), "f");
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    };
    for (const char* pattern : {"[", "{a: ", "- ", "? ", "[a,", ":"})
        answered_soon("", pattern, kMaxYamlBytes);
    for (const char* pattern :
         {"[",     "{",   "- ", "? ",  "{a: ", "[a: ", "- - ", "&a ", "!a ", "*a ",
          "a: ",   "\"",  "'",  "|\n", "#\n",  "\n",   " ",    ",",   ":",   "%",
          "---\n", "[[]", "{?", "\\",  "a,",   "é",    "\t",   "{a,", "\r"})
        for (const char* before : {"", "k: ", "[", "{", "k: |\n  ", "\""})
            answered_soon(before, pattern, 1 << 15);
}

TEST_CASE("the positions of many values on one long line take linear time") {
    const auto text = "x: \"" + repeated("é", 900000) + "\"\ny: {z: \"" + repeated("é", 100000) +
                      "\"" + repeated(", ? ", 4 * 4900) + "}";
    const auto start = std::chrono::steady_clock::now();
    (void)parse_yaml(text, "f");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}
