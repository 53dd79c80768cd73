#include "host/base/utf8.hpp"

#include <string>

#include "tests/unit/doctest.hpp"

using namespace toolhost;

TEST_CASE("text is cut between characters") {
    const std::string text = "a\u00e9\u20ac\U0001f600z";  // of 1, 2, 3, 4 and 1 bytes
    CHECK(count_characters(text) == 5);
    const std::size_t starts[] = {0, 1, 3, 6, 10, 11};
    for (std::size_t bytes = 0; bytes <= text.size() + 1; ++bytes) {
        CAPTURE(bytes);
        std::size_t end = 0;
        for (const auto start : starts)
            if (start <= bytes) end = start;
        CHECK(fitting_characters(text, bytes) == text.substr(0, end));
    }
    for (std::size_t count = 0; count < 6; ++count)
        CHECK(first_characters(text, count) == text.substr(0, starts[count]));
    CHECK(first_characters(text, 100) == text);
    CHECK(fitting_characters("\x80\x80\x80", 2).empty());  // no character starts in it
}
