#include "host/cli/terminal.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost::cli;

TEST_CASE("text from plugins cannot control the terminal") {
    CHECK(printable("a\x1b[31m\x07\tb\n\x7f") == "a\\u001b[31m\\u0007\tb\n\\u007f");
}

TEST_CASE("one line") {
    CHECK(one_line("  a\n\t b  ", 10) == "a b");
    CHECK(one_line("a\r\nb", 10) == "a b");
    CHECK(one_line("abcdefghij", 10) == "abcdefghij");
    CHECK(one_line("abcdefghijk", 10) == "abcdefg...");
    CHECK(one_line("ééééééééééé", 10) == "ééééééé...");
    CHECK(columns_of("éa") == 2);
    CHECK(padded("é", 3) == "é  ");
}

TEST_CASE("wrapping") {
    CHECK(wrapped("aaaa bbbb cccc dddd eeee ffff", 2, 24) == "aaaa bbbb cccc dddd\n  eeee ffff");
    CHECK(wrapped("a\nb", 2, 80) == "a\n  b");
    CHECK(wrapped("", 2, 80).empty());
    CHECK(wrapped(std::string(50, 'x') + " y", 0, 30) == std::string(50, 'x') + "\ny");
}
