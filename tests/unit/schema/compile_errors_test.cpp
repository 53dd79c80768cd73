// An invalid schema is refused, with the position and the expectation.
#include "fixtures.hpp"

using namespace schema_test;

TEST_CASE("invalid keyword values") {
    struct Row {
        const char *schema, *pointer, *message;
    };
    constexpr const char* types =
        R"(must be one of "array", "boolean", "integer", "null", "number", "object", "string", )"
        "but is ";
    const std::string bad_type = types + std::string("the integer 5");
    const std::string bad_name = types + std::string(R"(the string "str")");
    const Row rows[] = {
        {"5", "", "must be a schema (an object or a boolean), but is the integer 5"},
        {R"({"type": 5})", "/type", bad_type.c_str()},
        {R"({"properties": {"a/b": {"type": ["null", "str"]}}})", "/properties/a~1b/type/1",
         bad_name.c_str()},
        {R"({"type": []})", "/type",
         "must be a type or an array of at least one type, but is an empty array"},
        {R"({"properties": []})", "/properties",
         "must be an object of schemas, but is an empty array"},
        {R"({"required": "x"})", "/required",
         R"(must be an array of strings, but is the string "x")"},
        {R"({"required": ["x", 5]})", "/required/1", "must be a string, but is the integer 5"},
        {R"({"required": ["x", "x"]})", "/required/1", R"(must not repeat the string "x")"},
        {R"({"not": {"items": 5}})", "/not/items",
         "must be a schema (an object or a boolean), but is the integer 5"},
        {R"({"items": [true]})", "/items",
         "must be a schema (an object or a boolean), but is an array of 1 item; since draft "
         "2020-12 "
         "that is prefixItems"},
        {R"({"anyOf": []})", "/anyOf",
         "must be an array of at least one schema, but is an empty array"},
        {R"({"minLength": -1})", "/minLength",
         "must be an integer of at least 0, but is the integer -1"},
        {R"({"maxItems": 1.5})", "/maxItems",
         "must be an integer of at least 0, but is the number 1.5"},
        {R"({"multipleOf": 0})", "/multipleOf",
         "must be a number greater than 0, but is the integer 0"},
        {R"({"exclusiveMinimum": true})", "/exclusiveMinimum", "must be a number, but is true"},
        {R"({"uniqueItems": "yes"})", "/uniqueItems",
         R"(must be a boolean, but is the string "yes")"},
        {R"({"enum": 5})", "/enum", "must be an array, but is the integer 5"},
        {R"({"title": 5})", "/title", "must be a string, but is the integer 5"},
        {R"({"$id": "x#y"})", "/$id",
         R"(must be a URI reference without a fragment, but is the string "x#y")"},
        {R"({"$defs": {"unused": {"pattern": "(("}}})", "/$defs/unused/pattern",
         R"(must be a regular expression (ECMA-262), but "((" has an unclosed group)"},
        {R"({"patternProperties": {"[": true}})", "/patternProperties/[",
         R"(must be a regular expression (ECMA-262), but "[" has unmatched '[')"},
        {R"({"dependentRequired": {"a": [1]}})", "/dependentRequired/a/0",
         "must be a string, but is the integer 1"},
        {R"({"$schema": "http://json-schema.org/draft-04/schema#"})", "/$schema",
         "is http://json-schema.org/draft-04/schema, but must be the URI of draft 2020-12, draft "
         "2019-09 or draft 7"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.schema);
        const CompileError error = compile_error(row.schema);
        CHECK(error.pointer == row.pointer);
        CHECK(error.message == row.message);
    }
}

TEST_CASE("unknown keywords are ignored") {
    CHECK(valid(R"({"x-note": {"type": 5}, "examples": [{"type": 5}]})", 1));
    // Not a keyword in this dialect, so any value is valid.
    CHECK(valid(R"({"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": 5})", 1));
}

TEST_CASE("value() throws the error's text") {
    CHECK_THROWS_WITH_AS((void)Schema::compile(json(R"({"required": "x"})")).value(),
                         R"(/required: must be an array of strings, but is the string "x")",
                         std::invalid_argument);
}

TEST_CASE("an unknown required vocabulary is refused, an optional one ignored") {
    toolhost::schema::DocumentStore store;
    Json meta = json(R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
                         "$vocabulary": {"https://example.com/vocab": true}})");
    store.documents["https://example.com/meta"] = meta;
    CompileOptions options;
    options.store = &store;
    const char* schema = R"({"$schema": "https://example.com/meta"})";
    CHECK(compile_error(schema, options).pointer == "/$schema");
    store.documents["https://example.com/meta"]["$vocabulary"]["https://example.com/vocab"] = false;
    CHECK(Schema::compile(json(schema), options).has_value());
}
