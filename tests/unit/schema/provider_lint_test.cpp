// What model providers refuse, and that plain() removes all of it.
#include <doctest/doctest.h>

#include "host/schema/plain.hpp"
#include "host/schema/provider_lint.hpp"

using namespace toolhost::schema;

namespace {

constexpr Provider kProviders[] = {Provider::anthropic, Provider::openai, Provider::gemini};

std::vector<LintFinding> lint(Provider provider, const char* schema) {
    return lint_tool(provider, "tool", "Does it.", Json::parse(schema));
}

bool finds(Provider provider, const char* schema, const std::string& pointer) {
    const auto found = lint(provider, schema);
    return std::any_of(found.begin(), found.end(),
                       [&](const auto& one) { return one.pointer == pointer; });
}

}  // namespace

TEST_CASE("an ordinary schema is accepted by all") {
    for (auto provider : kProviders)
        CHECK(lint(provider, R"({"type": "object", "additionalProperties": false,
            "properties": {"a": {"type": "string", "description": "d", "enum": ["x", "y"]},
                           "b": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                           "c": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
            "required": ["a"]})")
                  .empty());
}

TEST_CASE("schemas that every provider refuses") {
    struct Row {
        const char *schema, *pointer;
    };
    for (auto provider : kProviders)
        for (const auto& [schema, pointer] :
             {Row{R"({})", "/inputSchema"}, Row{R"({"type": "string"})", "/inputSchema"},
              Row{R"({"type": "object", "oneOf": [{"required": ["a"]}]})", "/inputSchema"},
              Row{R"({"type": "object", "anyOf": [{"required": ["a"]}]})", "/inputSchema"},
              Row{R"({"type": "object", "allOf": [{"required": ["a"]}]})", "/inputSchema"},
              Row{R"({"type": "object", "properties": {"a/b": {"description": "d"}}})",
                  "/inputSchema/properties/a~1b"},
              Row{R"({"type": "object", "properties": {"a": {"enum": ["x"]}}})",
                  "/inputSchema/properties/a"},
              Row{R"({"type": "object", "properties": {"a": {"anyOf": [{"minimum": 1}]}}})",
                  "/inputSchema/properties/a"},
              Row{R"({"type": "object", "properties":
                      {"a": {"type": "integer", "maximum": 18446744073709551615}}})",
                  "/inputSchema/properties/a/maximum"},
              Row{R"({"type": "object", "properties": {"a": {"type": "array", "items":
                      {"type": "integer", "minimum": -9223372036854775808}}}})",
                  "/inputSchema/properties/a/items/minimum"},
              Row{R"({"type": "object", "properties": {"a": {"$ref": "other.json"}}})",
                  "/inputSchema/properties/a/$ref"}}) {
            CAPTURE(static_cast<int>(provider));
            const auto& shown_schema = schema;
            CAPTURE(shown_schema);
            CHECK(finds(provider, schema, pointer));
        }
}

TEST_CASE("schemas that one provider refuses") {
    struct Row {
        Provider provider;
        const char *schema, *pointer;
    };
    for (const auto& [provider, schema, pointer] :
         {Row{Provider::gemini, R"({"type": "object", "properties": {"a": {"const": "x",
              "type": "string"}}})",
              "/inputSchema/properties/a"},
          Row{Provider::gemini, R"({"type": "object", "properties": {"a":
              {"type": ["string", "null"]}}})",
              "/inputSchema/properties/a/type"},
          Row{Provider::gemini, R"({"type": "object", "properties": {"a":
              {"type": "integer", "enum": [1, 2]}}})",
              "/inputSchema/properties/a/enum"},
          Row{Provider::gemini, R"({"type": "object", "$defs": {"d": {"type": "string"}},
              "properties": {"a": {"$ref": "#/$defs/d"}}})",
              "/inputSchema/properties/a"},
          Row{Provider::openai, R"({"type": "object", "properties": {"a": {"type": "array"}}})",
              "/inputSchema/properties/a"},
          Row{Provider::openai, R"({"type": "object", "not": {}})", "/inputSchema"},
          Row{Provider::anthropic, R"({"type": "object", "properties": {"a b":
              {"type": "string"}}})",
              "/inputSchema/properties/a b"}}) {
        const auto& shown_schema = schema;
        CAPTURE(shown_schema);
        CHECK(finds(provider, schema, pointer));
        if (provider != Provider::anthropic) CHECK(lint(Provider::anthropic, schema).empty());
    }
    Json nested{{"type", "string"}};
    for (int i = 0; i < 10; ++i)
        nested = {{"type", "object"}, {"properties", {{"a", std::move(nested)}}}};
    CHECK(lint_tool(Provider::openai, "t", "d", nested).size() == 1);
    CHECK(lint_tool(Provider::anthropic, "t", "d", nested).empty());
}

TEST_CASE("names and descriptions") {
    const Json schema{{"type", "object"}};
    CHECK(lint_tool(Provider::openai, "a.b", "d", schema).size() == 1);
    CHECK(lint_tool(Provider::anthropic, std::string(65, 'a'), "d", schema).size() == 1);
    CHECK(lint_tool(Provider::gemini, "9lives", "d", schema).size() == 1);
    CHECK(lint_tool(Provider::anthropic, "9lives", "d", schema).empty());
    CHECK(lint_tool(Provider::gemini, "t", "", schema).size() == 1);
    CHECK(lint_tool(Provider::openai, "t", std::string(1025, 'd'), schema).size() == 1);
    CHECK_FALSE(provider_named("acme"));
    CHECK(provider_named("gemini") == Provider::gemini);
}

TEST_CASE("the number of findings is limited") {
    Json many{{"type", "object"}};
    for (int i = 0; i < 1000; ++i) many["properties"]["p" + std::to_string(i)] = Json::object();
    CHECK(lint_tool(Provider::openai, "t", "d", many).size() == kMaxLintFindings);
}

TEST_CASE("plain() writes schemas that every provider accepts") {
    for (const char* schema :
         {R"({})", R"({"json": {"type": "object"}})", R"(true)",
          R"({"oneOf": [{"required": ["a"]}, {"required": ["b"]}],
              "properties": {"a": {}, "b": true, "c": {"const": "x"}, "d": {"enum": [1, 2]},
                             "e": {"type": ["string", "null"]},
                             "f": {"type": ["array", "integer"], "maximum": 18446744073709551615},
                             "g": {"type": "array"}, "h": {"oneOf": [{"type": "string"}]}}})",
          R"({"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"},
              "value": {"type": "string"}}}}, "properties": {"tree": {"$ref": "#/$defs/node"}},
              "$schema": "https://json-schema.org/draft/2020-12/schema"})",
          R"({"properties": {"m": {"allOf": [{"properties": {"x": {"type": "string"}}},
              {"type": "object", "properties": {"y": {"type": "number"}}, "required": ["y"]}]}},
              "patternProperties": {"^x": {}}, "if": {}, "then": {}})",
          R"({"properties": {"a": {"$ref": "#/nowhere"}, "b": {"$ref": "http://other/"}}})"}) {
        CAPTURE(schema);
        const Json plainly = plain(Json::parse(schema));
        CAPTURE(plainly.dump());
        for (auto provider : kProviders)
            for (const auto& found : lint_tool(provider, "t", "d", plainly))
                FAIL_CHECK(found.pointer << ": " << found.message);
    }
    const Json merged = plain(Json::parse(
        R"({"properties": {"m": {"description": "d", "$ref": "#/$defs/m"}},
            "$defs": {"m": {"type": "string", "minLength": 2}}, "required": ["m"]})"));
    CHECK(merged == Json::parse(R"({"type": "object", "required": ["m"], "properties":
        {"m": {"type": "string", "minLength": 2, "description": "d"}}})"));
}

TEST_CASE("plain() is limited even if references double") {
    Json defs;
    for (int i = 0; i < 40; ++i) {
        const std::string next = "#/$defs/d" + std::to_string(i + 1);
        defs["d" + std::to_string(i)] = {
            {"properties", {{"l", {{"$ref", next}}}, {"r", {{"$ref", next}}}}}};
    }
    const Json plainly =
        plain({{"properties", {{"a", {{"$ref", "#/$defs/d0"}}}}}, {"$defs", std::move(defs)}});
    CHECK(plainly.dump().size() < 10u << 20);
}
