#include "access/glob.hpp"

#include <doctest/doctest.h>

namespace file_operations {
namespace {

struct GlobRow {
    const char* pattern;
    const char* path;
    bool matches;
};

TEST_SUITE("glob") {
    TEST_CASE("names and paths") {
        static constexpr GlobRow rows[] = {
            {"*.c", "main.c", true},
            {"*.c", "src/main.c", true},
            {"*.c", "main.cc", false},
            {"a?c", "abc", true},
            {"a?c", "ac", false},
            {"[a-c]x", "bx", true},
            {"[!a-c]x", "bx", false},
            {"[]]", "]", true},
            {"[", "[", true},
            {"\\*", "*", true},
            {"\\*", "a", false},
            {"src/*.c", "src/main.c", true},
            {"src/*.c", "src/a/main.c", false},
            {"src/**/*.c", "src/main.c", true},
            {"src/**/*.c", "src/a/b/main.c", true},
            {"**/test/**", "a/test/b/c", true},
            {"**/test/**", "a/tests/b", false},
            {"/src/*", "src/x", true},
            {"*.{h,cpp}", "x.h", true},
            {"*.{h,cpp}", "x.cpp", true},
            {"*.{h,cpp}", "x.c", false},
            {"{a,b{1,2}}", "b2", true},
            {"{a", "{a", true},
            {"x{a}", "x{a}", true},
            {"", "x", false},
            {"**", "a/b", true},
        };
        for (const GlobRow& row : rows) {
            CAPTURE(std::string(row.pattern));
            CAPTURE(std::string(row.path));
            CHECK(Glob(row.pattern).matches(row.path) == row.matches);
        }
    }

    TEST_CASE("expensive patterns end quickly") {
        CHECK_FALSE(name_matches("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
        std::string deep = "a";
        for (int i = 0; i < 500; ++i) deep += "/a";
        CHECK_FALSE(Glob("**/a/**/a/**/a/**/b").matches(deep));
        std::string braces;
        for (int i = 0; i < 30; ++i) braces += "{a,b}";
        CHECK_FALSE(Glob(braces).matches("x"));
    }
}

}  // namespace
}  // namespace file_operations
