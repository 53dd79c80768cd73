// Numbers by their mathematical value.
#include "fixtures.hpp"
#include "host/schema/equality.hpp"

using namespace schema_test;
using toolhost::schema::Budget;

namespace {

bool equal(const Json& a, const Json& b) {
    Budget budget(1000);
    return toolhost::schema::equal(a, b, budget);
}

std::size_t hash_value(const Json& value) {
    Budget budget(1000);
    return toolhost::schema::hash_value(value, budget);
}

}  // namespace

TEST_CASE("equality across representations") {
    CHECK(equal(1, 1.0));
    CHECK(equal(json("[1, {\"a\": 2.0}]"), json("[1.0, {\"a\": 2}]")));
    CHECK(hash_value(json("[1, {\"a\": 2.0}]")) == hash_value(json("[1.0, {\"a\": 2}]")));
    CHECK_FALSE(equal(json("9007199254740993"), json("9007199254740992.0")));
    CHECK(equal(json("18446744073709551615"), json("18446744073709551615")));
    CHECK_FALSE(equal(json("18446744073709551615"), -1));
    CHECK_FALSE(equal(json("9223372036854775807"), json("9223372036854775808")));
    CHECK(equal(0.0, -0.0));
    CHECK(hash_value(0.0) == hash_value(-0.0));
    CHECK_FALSE(equal(false, 0));
    CHECK_FALSE(equal(nullptr, false));
    CHECK_FALSE(equal(json(R"({"a": 1})"), json(R"({"b": 1})")));
}

TEST_CASE("limits at the edges of 64 bits") {
    CHECK_FALSE(valid(R"({"maximum": 9007199254740992})", json("9007199254740993")));
    CHECK_FALSE(valid(R"({"exclusiveMaximum": 9007199254740993.0})", json("9007199254740992")));
    CHECK(valid(R"({"minimum": 9223372036854775807})", json("18446744073709551615")));
    CHECK_FALSE(valid(R"({"maximum": 18446744073709551614})", json("18446744073709551615")));
    CHECK(valid(R"({"maximum": 1e300})", json("18446744073709551615")));
    CHECK_FALSE(valid(R"({"minimum": 0})", json("-9223372036854775808")));
    CHECK_FALSE(valid(R"({"minimum": 0})", std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("multipleOf uses the decimals as written") {
    CHECK(valid(R"({"multipleOf": 0.01})", 4.35));
    CHECK(valid(R"({"multipleOf": 0.01})", 123456789.01));
    CHECK_FALSE(valid(R"({"multipleOf": 0.01})", 4.355));
    CHECK(valid(R"({"multipleOf": 1e-8})", json("12391239123")));
    CHECK_FALSE(valid(R"({"multipleOf": 0.123456789})", 1e308));
    CHECK(valid(R"({"multipleOf": 0.5})", 1e308));
    CHECK(valid(R"({"multipleOf": 2.5})", 10));
    CHECK(valid(R"({"multipleOf": 3})", json("-9223372036854775808")) == false);
    CHECK(valid(R"({"multipleOf": 9223372036854775808})", json("-9223372036854775808")));
    CHECK(valid(R"({"multipleOf": 5})", json("18446744073709551615")));
    CHECK(valid(R"({"multipleOf": 7})", 0.0));
    CHECK_FALSE(valid(R"({"multipleOf": 7})", std::numeric_limits<double>::infinity()));
    CHECK_FALSE(valid(R"({"multipleOf": 10})", 5));
    CHECK_FALSE(valid(R"({"multipleOf": 1e300})", 5));
}

TEST_CASE("integers are recognized in any notation") {
    CHECK(valid(R"({"type": "integer"})", 5.0));
    CHECK_FALSE(valid(R"({"type": "integer"})", 5.5));
    CHECK(valid(R"({"type": "integer"})", 1e300));
    CHECK(valid(R"({"minItems": 2.0})", json("[1, 2]")));
    CHECK(valid(R"({"maxItems": 1e300})", json("[1, 2]")));
}
