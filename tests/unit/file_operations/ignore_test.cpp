#include "search/ignore.hpp"

#include <doctest/doctest.h>

namespace file_operations {
namespace {

struct IgnoreRow {
    const char* file;
    const char* path;
    bool is_folder;
    bool ignored;
};

IgnoreRules::Shared rules(const char* content, const std::string& folder = "",
                          IgnoreRules::Shared above = nullptr) {
    return IgnoreRules::below(std::move(above), folder, parse_ignore_file(content));
}

TEST_SUITE("ignore files") {
    TEST_CASE("the lines of one file") {
        static constexpr IgnoreRow rows[] = {
            {"*.log", "a.log", false, true},
            {"*.log", "x/y/a.log", false, true},
            {"*.log\n!keep.log", "keep.log", false, false},
            {"!keep.log\n*.log", "keep.log", false, true},
            {"build/", "build", true, true},
            {"build/", "build", false, false},
            {"build/", "a/build", true, true},
            {"/build", "build", true, true},
            {"/build", "a/build", true, false},
            {"a/b", "a/b", false, true},
            {"a/b", "c/a/b", false, false},
            {"**/b", "x/y/b", false, true},
            {"a/**/b", "a/b", false, true},
            {"a/**/b", "a/x/y/b", false, true},
            {"a/**", "a/x", false, true},
            {"a/**", "a", true, false},
            {"# comment\n\\#file", "#file", false, true},
            {"# comment", "# comment", false, false},
            {"\\!odd", "!odd", false, true},
            {"blank \n", "blank", false, true},
            {"blank\\ \n", "blank ", false, true},
            {"crlf\r\n", "crlf", false, true},
            {"doc/*.txt", "doc/a.txt", false, true},
            {"doc/*.txt", "doc/x/a.txt", false, false},
            {"file[0-9].c", "file3.c", false, true},
            {"\xEF\xBB\xBF"
             "bom",
             "bom", false, true},
            {"/", "x", true, false},
            {"{a,b}", "a", false, false},
        };
        for (const IgnoreRow& row : rows) {
            CAPTURE(std::string(row.file));
            CAPTURE(std::string(row.path));
            CHECK(IgnoreRules::ignores(rules(row.file), row.path, row.is_folder) == row.ignored);
        }
    }

    TEST_CASE("a deeper file takes precedence, relative to its own folder") {
        const auto top = rules("*.txt\n/only_top");
        const auto below = rules("!keep.txt\n/here.c", "sub", top);
        CHECK(IgnoreRules::ignores(below, "sub/a.txt", false));
        CHECK_FALSE(IgnoreRules::ignores(below, "sub/keep.txt", false));
        CHECK(IgnoreRules::ignores(top, "keep.txt", false));
        CHECK(IgnoreRules::ignores(below, "sub/here.c", false));
        CHECK_FALSE(IgnoreRules::ignores(below, "sub/x/here.c", false));
        CHECK_FALSE(IgnoreRules::ignores(below, "sub/only_top", false));
        CHECK(rules("", "sub", top) == top);
    }
}

}  // namespace
}  // namespace file_operations
