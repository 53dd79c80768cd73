// Structs: required members, defaults, and differences by the use of the schema.
#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <toolhost/plugin.hpp>
#include <vector>

using namespace toolhost;
using nlohmann::json;

namespace {

struct Inner {
    bool on = true;
    std::optional<std::string> note;
};
struct Outer {
    Field<std::string, "needed"> text;
    Field<bool, "off unless said"> verbose = false;
    Field<std::vector<std::string>, "none unless said"> tags = empty;
    Field<std::optional<std::string>, "may be left out"> maybe;
    Field<Literal<"a", "b">, "mode"> mode = "b";
    std::string bare;
    std::string bare_default = "x";
    bool bare_false = false;
    Inner inner;
    std::optional<bool> maybe_true = true;
    double not_a_number = std::numeric_limits<double>::quiet_NaN();
};
struct Node {
    bool leaf;
    std::vector<Node> children;
};
struct Forest {
    Node oak;
    Field<Node, "a second tree"> elm;
};
struct Nothing {};

}  // namespace

TEST_CASE("an input struct") {
    CHECK(schema_of<Outer>() == json::parse(R"({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "needed"},
            "verbose": {"type": "boolean", "description": "off unless said", "default": false},
            "tags": {"type": "array", "items": {"type": "string"},
                     "description": "none unless said", "default": []},
            "maybe": {"type": "string", "description": "may be left out"},
            "mode": {"type": "string", "enum": ["a", "b"], "description": "mode", "default": "b"},
            "bare": {"type": "string"},
            "bare_default": {"type": "string", "default": "x"},
            "bare_false": {"type": "boolean", "default": false},
            "inner": {
                "type": "object",
                "properties": {"on": {"type": "boolean", "default": true},
                               "note": {"type": "string"}},
                "additionalProperties": false
            },
            "maybe_true": {"type": "boolean", "default": true},
            "not_a_number": {"type": "number"}
        },
        "required": ["text", "bare", "inner"],
        "additionalProperties": false
    })"));
    CHECK(schema_of<Nothing>() ==
          json::parse(R"({"type": "object", "properties": {}, "additionalProperties": false})"));
}

TEST_CASE("an output struct requires all except optional members, and has no defaults") {
    CHECK(schema_of<Inner>(Use::output) == json::parse(R"({
        "type": "object",
        "properties": {"on": {"type": "boolean"}, "note": {"type": "string"}},
        "required": ["on"]
    })"));
}

TEST_CASE("a policy struct requires nothing: every setting has a default") {
    struct Policy {
        Field<std::vector<std::string>, "hosts that may be asked"> hosts;
        bool push = false;
        std::optional<std::string> prefix;
    };
    CHECK(schema_of<Policy>(Use::policy) == json::parse(R"({
        "type": "object",
        "properties": {
            "hosts": {"type": "array", "items": {"type": "string"},
                      "description": "hosts that may be asked", "default": []},
            "push": {"type": "boolean", "default": false},
            "prefix": {"type": "string"}
        },
        "additionalProperties": false
    })"));
}

TEST_CASE("a recursive struct refers to itself") {
    CHECK(schema_of<Node>() == json::parse(R"({
        "type": "object",
        "properties": {"leaf": {"type": "boolean"},
                       "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["leaf", "children"],
        "additionalProperties": false
    })"));
    CHECK(schema_of<Forest>() == json::parse(R"({
        "type": "object",
        "properties": {"oak": {"$ref": "#/$defs/struct1"},
                       "elm": {"$ref": "#/$defs/struct1", "description": "a second tree"}},
        "required": ["oak", "elm"],
        "additionalProperties": false,
        "$defs": {"struct1": {
            "type": "object",
            "properties": {
                "leaf": {"type": "boolean"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/struct1"}}
            },
            "required": ["leaf", "children"],
            "additionalProperties": false
        }}
    })"));
}
