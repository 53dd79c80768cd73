#include "interpreter/report.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using python_exec::is_shallow;

TEST_CASE("the nesting of a text is measured") {
    CHECK(is_shallow("", 0));
    CHECK(is_shallow("5", 0));
    CHECK_FALSE(is_shallow("[]", 0));
    CHECK(is_shallow(R"({"a": [1], "b": [2]})", 2));
    CHECK_FALSE(is_shallow(R"({"a": [[1]]})", 2));
    CHECK(is_shallow(R"(["[[[[", "\"[[[[", "\\"])", 1));
    CHECK_FALSE(is_shallow(R"(["\\", [[]]])", 2));
    CHECK(is_shallow("]]]][[", 2));  // invalid JSON, but harmless
    CHECK_FALSE(is_shallow(std::string(200'000, '['), 100));
}

}  // namespace
