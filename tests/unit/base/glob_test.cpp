#include "host/base/glob.hpp"

#include "tests/unit/doctest.hpp"

using toolhost::Glob;

TEST_CASE("globs match as the shell's do") {
    struct Row {
        const char *pattern, *text;
        bool matches;
    };
    for (const auto& [pattern, text, matches] :
         {Row{"abc", "abc", true},      Row{"abc", "ab", false},       Row{"abc", "abcd", false},
          Row{"*", "", true},           Row{"*", "abc", true},         Row{"a*", "a", true},
          Row{"a*c", "abbc", true},     Row{"a*c", "abcd", false},     Row{"*b*", "abc", true},
          Row{"a**c", "ac", true},      Row{"?", "a", true},           Row{"?", "", false},
          Row{"a?c", "abc", true},      Row{"a?", "a", false},         Row{"[abc]", "b", true},
          Row{"[abc]", "d", false},     Row{"[a-c]x", "bx", true},     Row{"[!a-c]", "d", true},
          Row{"[!a-c]", "b", false},    Row{"[^a]", "b", true},        Row{"[]]", "]", true},
          Row{"[!]]", "a", true},       Row{"[a-]", "-", true},        Row{"[-a]", "-", true},
          Row{"*[0-9]", "file7", true}, Row{"*[0-9]", "7file", false}, Row{"[*]", "*", true},
          Row{"[*]", "a", false},       Row{"*ab", "aab", true},       Row{"*?b", "b", false}}) {
        const auto& shown_pattern = pattern;
        CAPTURE(shown_pattern);
        const auto& shown_text = text;
        CAPTURE(shown_text);
        auto glob = Glob::parse(pattern);
        REQUIRE(glob);
        CHECK(glob->matches(text) == matches);
    }
}

TEST_CASE("malformed globs are refused") {
    for (const char* pattern : {"", "[", "a[b", "[]", "[!]", "a]", "[z-a]", "[a-cz-x]"}) {
        CAPTURE(pattern);
        CHECK_FALSE(Glob::parse(pattern));
    }
}

TEST_CASE("only wildcards make a glob inexact") {
    CHECK(Glob::parse("file-read")->exact());
    for (const char* pattern : {"*", "a?", "[a]"}) CHECK_FALSE(Glob::parse(pattern)->exact());
}

TEST_CASE("many stars cost no more than few") {
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "*a";
    auto glob = Glob::parse(pattern + "b");
    CHECK_FALSE(glob->matches(std::string(5000, 'a')));
    CHECK(glob->matches(std::string(5000, 'a') + "b"));
}
