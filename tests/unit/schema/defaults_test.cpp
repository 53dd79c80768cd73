// normalize() and fill_defaults()
#include "host/schema/defaults.hpp"
#include "fixtures.hpp"
#include "host/schema/normalize.hpp"

using namespace schema_test;
using toolhost::schema::fill_defaults;
using toolhost::schema::normalize;

namespace {

Json filled(const char* schema, const char* value) {
    Json out = json(value);
    CHECK(fill_defaults(json(schema), out));
    return out;
}

}  // namespace

TEST_CASE("normalize adds the keywords that clients require") {
    CHECK(normalize(Json::object()) ==
          json(R"({"type": "object", "properties": {}, "required": []})"));
    CHECK(normalize(json(R"({"json": {"properties": {"a": {}}}})")) ==
          json(R"({"type": "object", "properties": {"a": {}}, "required": []})"));
    const Json composed = json(R"({"anyOf": [{"required": ["a"]}], "$defs": {"x": true},
        "type": "object", "properties": {"a": {"oneOf": [true]}}, "required": ["a"]})");
    CHECK(normalize(composed) == composed);
    CHECK(normalize(true) == true);
    CHECK(normalize(5) == 5);
    // Not the wrapper, but a property with that name.
    CHECK(normalize(json(R"({"json": 5})"))["json"] == 5);
    CHECK(compile(normalize(Json::object())).valid(Json::object()));
}

TEST_CASE("defaults at the top level and in nested objects") {
    CHECK(filled(R"({"properties": {"a": {"default": 5}, "b": {}}})", "{}") == json(R"({"a": 5})"));
    CHECK(filled(R"({"properties": {"a": {"default": 5}}})", R"({"a": null})") ==
          json(R"({"a": null})"));
    CHECK(filled(R"({"properties": {"o": {"properties": {"x": {"default": 1}}}}})",
                 R"({"o": {}})") == json(R"({"o": {"x": 1}})"));
    // Without a default nothing is inserted.
    CHECK(filled(R"({"properties": {"o": {"properties": {"x": {"default": 1}}}}})", "{}") ==
          Json::object());
    CHECK(filled(R"({"properties": {"o": {"default": {}, "properties": {"x": {"default": 1}}}}})",
                 "{}") == json(R"({"o": {"x": 1}})"));
    CHECK(filled(R"({"items": {"properties": {"x": {"default": 1}}}})", "[{}, 5, {\"x\": 2}]") ==
          json(R"([{"x": 1}, 5, {"x": 2}])"));
}

TEST_CASE("defaults through references and allOf") {
    CHECK(
        filled(R"({"properties": {"a": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"default": [1]}}})",
               "{}") == json(R"({"a": [1]})"));
    CHECK(filled(R"({"properties": {"a": {"$ref": "#/$defs/d", "default": 2}},
                     "$defs": {"d": {"default": 1}}})",
                 "{}") == json(R"({"a": 2})"));
    CHECK(filled(R"({"allOf": [{"$ref": "#/$defs/d"}],
                     "$defs": {"d": {"properties": {"x": {"default": 1}}}}})",
                 "{}") == json(R"({"x": 1})"));
    CHECK(filled(R"({"properties": {"a": {"anyOf": [{"type": "null"},
                     {"type": "object", "properties": {"x": {"default": 1}}}]}}})",
                 R"({"a": {}})") == json(R"({"a": {"x": 1}})"));
}

TEST_CASE("a default is completed by all schemas that apply to it") {
    CHECK(filled(R"({"properties": {"o": {"default": {}, "properties": {"x": {"default": 1}}}},
                     "allOf": [{"properties": {"o": {"properties": {"y": {"default": 2}}}}}]})",
                 "{}") == json(R"({"o": {"x": 1, "y": 2}})"));
}

TEST_CASE("an invalid schema fills nothing") {
    for (const char* schema :
         {"5", "[]", R"({"properties": 5})", R"({"properties": {"a": 5}})", R"({"$ref": 5})",
          R"({"$ref": "#/none"})", R"({"$ref": "#"})", R"({"allOf": {"a": 1}})",
          R"({"$ref": "#/~x"})", R"({"items": 5})"}) {
        CAPTURE(schema);
        CHECK(filled(schema, R"({"b": [1]})") == json(R"({"b": [1]})"));
    }
}
