#include "search/file_hits.hpp"

#include <doctest/doctest.h>

namespace file_operations {
namespace {

std::string hits_in(const std::string& content, const std::string& pattern, HitLimits limits = {}) {
    const auto compiled = Pattern::compile(pattern, {}, "/pattern");
    REQUIRE(compiled);
    Matcher matcher(*compiled);
    const std::atomic<bool> stop{false};
    FileHits hits;
    CHECK(find_hits(content, *compiled, matcher, limits, stop, hits) == Scan::done);
    std::string out = std::to_string(hits.count) + '|';
    for (const FoundLine& line : hits.lines) {
        out += std::to_string(line.number) + (line.column > 0 ? ":" : "-") + line.text + ' ';
    }
    return out;
}

TEST_SUITE("hits") {
    TEST_CASE("lines with numbers, with and without a required text") {
        for (const char* pattern : {"x", "[x]"}) {
            CAPTURE(std::string(pattern));
            CHECK(hits_in("x\na\nbx\r\n\nx", pattern) == "3|1:x 3:bx 5:x ");
            CHECK(hits_in("", pattern) == "0|");
            CHECK(hits_in("\n\n", pattern) == "0|");
            CHECK(hits_in("xx x", pattern) == "1|1:xx x ");
        }
    }

    TEST_CASE("context is shown once, however close the matches are") {
        const std::string text = "1\n2\nx\n4\nx\n6\n7\n8\nx\n";
        CHECK(hits_in(text, "x", {.context_lines = 1}) == "3|2-2 3:x 4-4 5:x 6-6 8-8 9:x ");
        CHECK(hits_in(text, "x", {.context_lines = 9}) == "3|1-1 2-2 3:x 4-4 5:x 6-6 7-7 8-8 9:x ");
    }

    TEST_CASE("files mode stops at the first match, count continues, matches stops at the limit") {
        const std::string text = "x\nx\nx\nx\n";
        CHECK(hits_in(text, "x", {.mode = SearchMode::files}) == "1|");
        CHECK(hits_in(text, "x", {.mode = SearchMode::count}) == "4|");
        CHECK(hits_in(text, "x", {.max_lines = 2}) == "3|1:x 2:x ");
    }

    TEST_CASE("long lines are cut around the match") {
        const std::string text = std::string(5000, 'a') + "match" + std::string(5000, 'b');
        const std::string out = hits_in(text, "match");
        CHECK(out.size() < 600);
        CHECK(out.find("amatchb") != std::string::npos);
        CHECK(out.find("1:...a") != std::string::npos);
    }
}

}  // namespace
}  // namespace file_operations
