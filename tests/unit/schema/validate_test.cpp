// The official suite (tests/schema_suite) tests validation; this covers the rest.
#include "fixtures.hpp"

using namespace schema_test;
using toolhost::schema::Dialect;

TEST_CASE("valid() and validate() give the same answer") {
    const Schema schema =
        compile(R"({"type": "object", "properties": {"a": {"type": "integer"}}})");
    CHECK(schema.valid(json(R"({"a": 5})")));
    CHECK(schema.validate(json(R"({"a": 5})")).empty());
    CHECK_FALSE(schema.valid(json(R"({"a": "5"})")));
    CHECK(schema.validate(json(R"({"a": "5"})")).size() == 1);
}

TEST_CASE("a copy of a schema outlives the original and its document") {
    const auto make = [] {
        const Json document = json(R"({"enum": ["a", {"b": [1]}]})");
        const Schema original = compile(document);
        return Schema(original);
    };
    const Schema copy = make();
    CHECK(copy.valid("a"));
    CHECK(copy.valid(json(R"({"b": [1.0]})")));
    CHECK_FALSE(copy.valid("b"));
}

TEST_CASE("$schema chooses the dialect") {
    CHECK(compile("{}").dialect() == Dialect::draft2020_12);
    CHECK(compile(R"({"$schema": "http://json-schema.org/draft-07/schema#"})").dialect() ==
          Dialect::draft7);
    CHECK(compile(R"({"$schema": "https://json-schema.org/draft/2019-09/schema"})").dialect() ==
          Dialect::draft2019_09);
    CompileOptions options;
    options.default_dialect = Dialect::draft7;
    CHECK(compile("{}", options).dialect() == Dialect::draft7);
}

TEST_CASE("formats are asserted on request only") {
    const char* schema = R"({"format": "ipv4"})";
    CHECK(valid(schema, "x"));
    CompileOptions options;
    options.assert_formats = true;
    CHECK_FALSE(compile(schema, options).valid("x"));
    CHECK(compile(schema, options).valid("192.0.2.1"));
    CHECK(compile(R"({"format": "no-such-format"})", options).valid("x"));
}

TEST_CASE("many properties and few members") {
    Json document;
    for (int i = 0; i < 500; ++i)
        document["properties"]["p" + std::to_string(i)]["type"] = "integer";
    document["required"] = {"p7", "p499"};
    document["additionalProperties"] = false;
    const Schema schema = compile(document);
    CHECK(schema.valid(json(R"({"p7": 1, "p499": 2})")));
    CHECK_FALSE(schema.valid(json(R"({"p7": 1, "p499": "2"})")));
    CHECK_FALSE(schema.valid(json(R"({"p7": 1})")));
    CHECK_FALSE(schema.valid(json(R"({"p7": 1, "p499": 2, "q": 3})")));
}

TEST_CASE("unevaluatedProperties beyond 64 members") {
    Json document = json(R"({"allOf": [{"patternProperties": {"^a": true}}],
                             "unevaluatedProperties": false})");
    Json value;
    for (int i = 0; i < 200; ++i) value["a" + std::to_string(i)] = i;
    CHECK(compile(document).valid(value));
    value["b"] = 1;
    CHECK_FALSE(compile(document).valid(value));
}

TEST_CASE("enum and uniqueItems over many values") {
    Json document, items = Json::array();
    for (int i = 0; i < 100; ++i) {
        document["enum"].push_back("v" + std::to_string(i));
        items.push_back(i);
    }
    document["enum"].push_back(json(R"({"a": 1})"));
    CHECK(compile(document).valid("v42"));
    CHECK(compile(document).valid(json(R"({"a": 1.0})")));
    CHECK_FALSE(compile(document).valid("v100"));
    CHECK(valid(R"({"uniqueItems": true})", items));
    items.push_back(42.0);
    CHECK(message(R"({"uniqueItems": true})", items) ==
          "must have unique items, but items 42 and 100 are both the integer 42");
}

TEST_CASE("binary values, which no JSON text contains, have no type") {
    CHECK_FALSE(
        valid(R"({"type": ["string", "array", "object", "number"]})", Json::binary({1, 2})));
}
