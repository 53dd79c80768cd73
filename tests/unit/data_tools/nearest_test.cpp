#include "nearest.hpp"

#include <doctest/doctest.h>

using namespace data_tools;

TEST_CASE("edit distance counts typing errors, ignoring case") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("sin", "SIN") == 0);
    CHECK(edit_distance("sqrt", "sqt") == 1);
    CHECK(edit_distance("flor", "floor") == 1);
    CHECK(edit_distance("cso", "cos") == 1);
    CHECK(edit_distance("abc", "xyz") == 3);
    CHECK(edit_distance("", "abc") == 3);
}

TEST_CASE("names of any length are compared in limited memory") {
    const std::string huge(100000, 'a');
    CHECK(edit_distance(huge, huge) == 0);
    CHECK(nearest(huge, {"sin", huge}).size() == 1);
}

TEST_CASE("only near names are suggested, nearest first") {
    const std::vector<std::string> known = {"sinh", "sin", "cos", "factorial"};
    CHECK(nearest("sine", known) == std::vector<std::string>{"sin", "sinh"});
    CHECK(nearest("factoral", known) == std::vector<std::string>{"factorial"});
    CHECK(nearest("system", known).empty());
    CHECK(nearest("b", {"a", "c"}).empty());
    CHECK(did_you_mean("sine", known) == " Did you mean sin or sinh?");
    CHECK(did_you_mean("zzzz", known).empty());
}
