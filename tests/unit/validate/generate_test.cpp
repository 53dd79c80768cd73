// Generated inputs: valid ones fit, invalid ones do not, and there are many of both.
#include "host/validate/generate.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "host/schema/schema.hpp"

using namespace toolhost;
using validate::Sample;

namespace {

registry::ToolSpec spec_of(const char* schema, const char* examples = "[]") {
    auto specs = registry::parse_spec(std::string(R"({"name": "t", "description": "A tool.", )") +
                                          R"("inputSchema": )" + schema + R"(, "examples": )" +
                                          examples + "}",
                                      "lib");
    REQUIRE(specs.has_value());
    return specs->front();
}

bool has(const std::vector<Sample>& samples, const Json& input) {
    return std::ranges::any_of(samples, [&](const Sample& one) { return one.input == input; });
}

constexpr const char* kSchema = R"({
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1, "maxLength": 9},
        "mode": {"type": "string", "enum": ["a", "b", "c"]},
        "n": {"type": "integer", "minimum": 2, "maximum": 5},
        "deep": {"type": "boolean", "default": false},
        "list": {"type": "array", "items": {"$ref": "#/$defs/item"}, "maxItems": 2}
    },
    "required": ["path"],
    "additionalProperties": false,
    "$defs": {"item": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}}
})";

}  // namespace

TEST_CASE("valid inputs cover fields, enums and limits") {
    const auto spec = spec_of(kSchema);
    const auto samples = validate::valid_inputs(spec);
    const auto schema = schema::Schema::compile(spec.input_schema());
    REQUIRE(schema.has_value());
    for (const auto& sample : samples) CHECK_MESSAGE(schema->valid(sample.input), sample.what);
    CHECK(has(samples, {{"path", "a"}}));
    for (const char* mode : {"a", "b", "c"}) CHECK(has(samples, {{"path", "a"}, {"mode", mode}}));
    CHECK(has(samples, {{"path", "a"}, {"n", 2}}));
    CHECK(has(samples, {{"path", "a"}, {"n", 5}}));
    CHECK(has(samples, {{"path", "a"}, {"deep", true}}));
    CHECK(has(samples, {{"path", "aaaaaaaaa"}}));
    CHECK(samples.back().what == "maximal");
    CHECK(samples.back().input.size() == 5);
    CHECK(samples.back().input["list"].size() == 2);
}

TEST_CASE("invalid inputs break one rule each") {
    const auto spec = spec_of(kSchema);
    const auto samples = validate::invalid_inputs(spec);
    const auto schema = schema::Schema::compile(spec.input_schema());
    REQUIRE(schema.has_value());
    for (const auto& sample : samples) CHECK_MESSAGE(!schema->valid(sample.input), sample.what);
    CHECK(has(samples, Json::array()));
    CHECK(has(samples, Json::object()));
    CHECK(has(samples, {{"path", "a"}, {"n", 1}}));
    CHECK(has(samples, {{"path", "a"}, {"n", 6}}));
    CHECK(has(samples, {{"path", ""}}));
    CHECK(has(samples, {{"path", "aaaaaaaaaa"}}));
    CHECK(has(samples, {{"path", "a"}, {"mode", "toolhost_not_in_the_enum"}}));
    CHECK_FALSE(validate::accepts_unknown_fields(spec));
    CHECK(validate::accepts_unknown_fields(spec_of(R"({"type": "object"})")));
}

TEST_CASE("examples give required fields their values") {
    const auto spec = spec_of(R"({"type": "object", "required": ["date"], "properties":
        {"date": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}, "n": {"type": "integer"}}})",
                              R"([{"input": {"date": "2026-01"}}])");
    const auto samples = validate::valid_inputs(spec);
    CHECK(has(samples, {{"date", "2026-01"}}));
    CHECK(has(samples, {{"date", "2026-01"}, {"n", 1}}));
}

TEST_CASE("recursive and empty schemas terminate") {
    const auto endless = spec_of(R"({"type": "object", "required": ["next"], "properties":
        {"next": {"$ref": "#"}}})");
    static_cast<void>(validate::valid_inputs(endless));
    static_cast<void>(validate::invalid_inputs(endless));
    const auto circle = spec_of(R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})");
    CHECK(validate::valid_inputs(circle).size() <= 48);
    CHECK(has(validate::valid_inputs(spec_of(R"({"type": "object"})")), Json::object()));
}

TEST_CASE("numbers at the ends of their types do not overflow") {
    const auto spec = spec_of(R"({"type": "object", "properties": {
        "low": {"type": "integer", "minimum": -9223372036854775808},
        "high": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615}}})");
    for (const auto& sample : validate::invalid_inputs(spec))
        CHECK_FALSE(sample.input == Json({{"high", 0}}));
    CHECK(has(validate::invalid_inputs(spec), {{"high", -1}}));
}
