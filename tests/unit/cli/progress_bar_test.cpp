#include "host/cli/progress_bar.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost::cli;
using namespace std::chrono_literals;

TEST_CASE("progress events need a number") {
    auto progress = parse_progress(R"({"progress": 3, "total": 10, "message": "m"})");
    REQUIRE(progress);
    CHECK(progress->done == 3);
    CHECK(progress->total == 10);
    CHECK(progress->message == "m");
    CHECK(parse_progress(R"({"progress": 1.5})")->done == 1.5);
    for (const char* other : {"", "3", "{}", R"({"progress":"3"})", "{"})
        CHECK_FALSE(parse_progress(other));
}

TEST_CASE("a line with a bar, a rate and the remaining time") {
    CHECK(progress_line({3, 12, "step"}, 2s, 80) ==
          "[######..................] 25%, 1.5/s, 6 s left: step");
    CHECK(progress_line({12, 12, ""}, 2s, 80) == "[########################] 100%, 6/s");
    CHECK(progress_line({0, 12, ""}, 0s, 80) == "[........................] 0%");
    CHECK(progress_line({30, {}, "files"}, 10s, 80) == "30 done, 3/s: files");
    CHECK(progress_line({1, 7201, ""}, 1s, 80) == "[........................] 0%, 1/s, 2 h left");
    CHECK(progress_line({1, 181, ""}, 1s, 80).ends_with("3 min left"));
    CHECK(progress_line({20, 10, "\x1b[31m"}, 1s, 80) ==
          "[########################] 100%, 20/s: \\u001b[31m");
    CHECK(progress_line({3, 12, std::string(100, 'x')}, 2s, 60).size() == 60);
}
