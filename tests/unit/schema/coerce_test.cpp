#include "host/schema/coerce.hpp"

#include "fixtures.hpp"

using namespace schema_test;
using toolhost::schema::coerce;

namespace {

Json coerced(const char* schema, Json value) {
    coerce(json(schema), value);
    return value;
}

}  // namespace

TEST_CASE("a value with one possible reading is converted") {
    CHECK(coerced(R"({"type": "integer"})", "5") == 5);
    CHECK(coerced(R"({"type": "integer"})", " -5 ") == -5);
    CHECK(coerced(R"({"type": "integer"})", "1e3") == 1000);
    CHECK(coerced(R"({"type": "integer"})", "1e3").is_number_integer());
    CHECK(coerced(R"({"type": "number"})", "1.5") == 1.5);
    CHECK(coerced(R"({"type": "boolean"})", "true") == true);
    CHECK(coerced(R"({"type": "boolean"})", "False") == false);
    CHECK(coerced(R"({"type": ["integer", "null"]})", "null") == nullptr);
    CHECK(coerced(R"({"type": "array"})", "[1, 2]") == json("[1, 2]"));
    CHECK(coerced(R"({"type": "object"})", R"({"a": 1})") == json(R"({"a": 1})"));
    CHECK(coerced(R"({"type": "string"})", 5) == "5");
    CHECK(coerced(R"({"type": "string"})", true) == "true");
    CHECK(coerced(R"({"enum": [1, 2, 3]})", "2") == 2);
    CHECK(coerced(R"({"anyOf": [{"type": "integer"}, {"type": "null"}]})", "7") == 7);
}

TEST_CASE("values that fit or cannot be converted stay unchanged") {
    CHECK(coerced(R"({"type": ["integer", "string"]})", "5") == "5");
    CHECK(coerced("{}", "5") == "5");
    CHECK(coerced(R"({"type": "integer"})", "5.5") == "5.5");
    CHECK(coerced(R"({"type": "integer"})", "five") == "five");
    CHECK(coerced(R"({"type": "integer"})", "05") == "05");
    CHECK(coerced(R"({"type": "integer"})", "123456789012345678901234567890") ==
          "123456789012345678901234567890");  // would lose digits
    CHECK(coerced(R"({"type": "boolean"})", 1) == 1);
    CHECK(coerced(R"({"type": "boolean"})", "yes") == "yes");
    CHECK(coerced(R"({"type": "integer"})", true) == true);
    CHECK(coerced(R"({"type": "array"})", "5") == "5");
    CHECK(coerced(R"({"type": "string"})", nullptr) == nullptr);
    CHECK(coerced(R"({"type": "array"})", "[1, 2") == "[1, 2");
}

TEST_CASE("values are converted everywhere, and their pointers returned") {
    const char* schema = R"({"properties": {"a/b": {"$ref": "#/$defs/i"},
                                            "list": {"items": {"$ref": "#/$defs/i"}},
                                            "text": {"type": "object",
                                                     "properties": {"n": {"$ref": "#/$defs/i"}}}},
                             "additionalProperties": {"type": "boolean"},
                             "$defs": {"i": {"type": "integer"}}})";
    Json value = json(R"({"a/b": "1", "list": ["2", 3], "text": "{\"n\": \"4\"}", "x": "true"})");
    const auto changed = coerce(json(schema), value);
    CHECK(value == json(R"({"a/b": 1, "list": [2, 3], "text": {"n": 4}, "x": true})"));
    CHECK(changed == std::vector<std::string>{"/a~1b", "/list/0", "/text", "/text/n", "/x"});
}

TEST_CASE("an invalid schema changes nothing") {
    for (const char* schema : {"5", R"({"type": 5})", R"({"type": ["x"]})", R"({"$ref": "#"})",
                               R"({"anyOf": 5})", R"({"enum": 5})", "true"}) {
        CAPTURE(schema);
        CHECK(coerced(schema, "5") == "5");
    }
}
