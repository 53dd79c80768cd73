// $ref can refer to the document, the meta-schemas and the store only.
#include "fixtures.hpp"

using namespace schema_test;
using toolhost::schema::DocumentStore;

TEST_CASE("a reference to an unknown target is an error that names it") {
    for (const char* reference : {"file:///etc/passwd", "https://example.com/x", "other.json",
                                  "/etc/passwd", "urn:uuid:1"}) {
        Json document;
        document["properties"]["a"]["$ref"] = reference;
        const CompileError error = compile_error(document);
        CHECK(error.pointer == "/properties/a/$ref");
        CHECK(error.message ==
              "refers to \"" + std::string(reference) +
                  "\", which is not in this document or in the documents that it can refer to");
    }
    CHECK(compile_error(R"({"$ref": "#/$defs/none"})").message ==
          R"(refers to "#/$defs/none", which is not a schema)");
    CHECK(compile_error(R"({"$ref": "#none"})").message ==
          R"(refers to "#none", which is not a schema)");
    CHECK(compile_error(R"({"enum": [5], "$ref": "#/enum/0"})").message ==
          "must be a schema (an object or a boolean), but is the integer 5");
}

TEST_CASE("the meta-schemas are built in") {
    for (const char* uri :
         {"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
          "https://json-schema.org/draft/2020-12/schema"}) {
        Json document;
        document["$ref"] = uri;
        const Schema schema = compile(document);
        CHECK(schema.valid(json(R"({"properties": {"a": {"type": "string"}}})")));
        CHECK_FALSE(schema.valid(json(R"({"properties": {"a": {"type": "str"}}})")));
    }
}

TEST_CASE("documents of the store, by their key and by their own $id") {
    DocumentStore store;
    store.documents["https://example.com/a"] =
        json(R"({"$id": "https://example.com/b/", "items": {"$ref": "c"}})");
    store.documents["https://example.com/b/c"] = json(R"({"type": "integer"})");
    CompileOptions options;
    options.store = &store;
    for (const char* reference : {"https://example.com/a", "https://example.com/b/"}) {
        Json document;
        document["$ref"] = reference;
        const Schema schema = compile(document, options);
        CHECK(schema.valid(json("[1]")));
        CHECK_FALSE(schema.valid(json(R"(["x"])")));
    }
}

TEST_CASE("an error in a document of the store has its URI") {
    DocumentStore store;
    store.documents["https://example.com/a"] = json(R"({"items": {"type": "str"}})");
    CompileOptions options;
    options.store = &store;
    CHECK(compile_error(R"({"$ref": "https://example.com/a"})", options).pointer ==
          "https://example.com/a#/items/type");
}

TEST_CASE("an $id or an anchor used twice is refused") {
    CHECK(compile_error(R"({"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}})")
              .pointer.ends_with("/$id"));
    CHECK(compile_error(R"({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}})")
              .pointer.ends_with("/$anchor"));
}

TEST_CASE("loops that consume nothing are refused, others are recursion") {
    for (const char* schema : {
             R"({"$ref": "#"})",
             R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})",
             R"({"anyOf": [{"type": "null"}, {"$ref": "#"}]})",
             R"({"not": {"$ref": "#"}})",
             R"({"if": {"$ref": "#"}})",
             R"({"dependentSchemas": {"a": {"$ref": "#"}}})",
         }) {
        CAPTURE(schema);
        CHECK(compile_error(schema).message ==
              "refers to itself without descending into the value");
    }
    CHECK(valid(R"({"type": "array", "items": {"$ref": "#"}})", json("[[], [[]]]")));
    CHECK_FALSE(valid(R"({"type": "array", "items": {"$ref": "#"}})", json("[[], [[5]]]")));
}
