#include "host/cli/call_options.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost::cli;

TEST_CASE("a timeout is in milliseconds, or has a unit") {
    CHECK(parse_timeout("5000") == 5000);
    CHECK(parse_timeout("500ms") == 500);
    CHECK(parse_timeout("30s") == 30000);
    CHECK(parse_timeout("2m") == 120000);
    CHECK(parse_timeout("2min") == 120000);
    for (const char* wrong : {"", "0", "-5", "s", "5h", "5 s", "1.5s", "604800001", "604801s",
                              "99999999999999999999", "9223372036854775807m"})
        CHECK_FALSE(parse_timeout(wrong));
}
