// The spec of a library.
#include <doctest/doctest.h>

#include <string>
#include <toolhost/plugin.hpp>

#include "fake_host.hpp"

using namespace toolhost;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

struct Input {
    Field<std::string, "what"> text;
};
std::string echo(const Input& in) {
    return in.text;
}
struct Policy {
    int limit = 3;
};
struct Unsorted {
    int zebra = 1, apple = 2, mango = 3;
};

json spec_of(const Library& library) {
    return json::parse(fake::text(&library.spec()->json));
}

}  // namespace

TEST_CASE("an inferred spec") {
    CHECK(spec_of(Library(tool<echo>("echo", "Says it again."))) == json::parse(R"({
        "name": "echo", "description": "Says it again.",
        "inputSchema": {"type": "object", "required": ["text"], "additionalProperties": false,
                        "properties": {"text": {"type": "string", "description": "what"}}}
    })"));
}

TEST_CASE("every optional key") {
    const Tool full = tool<echo>("echo", "d")
                          .version("1.2.0")
                          .category("data")
                          .family("texts")
                          .title("Echo")
                          .deprecated("use say")
                          .requires_consent()
                          .timeout(2s)
                          .require("command:git", ">=2.30")
                          .require("env:TOKEN")
                          .needs({.network = true, .write = true, .optional = {"write"}})
                          .policy<Policy>()
                          .annotation("readOnlyHint", true)
                          .annotation("openWorldHint", false)
                          .example({{"text", "a"}}, "the least")
                          .example({{"text", "b"}})
                          .set("owner", "us");
    json spec = full.spec();
    spec.erase("inputSchema");
    CHECK(spec == json::parse(R"({
        "name": "echo", "description": "d", "version": "1.2.0", "category": "data",
        "family": "texts", "title": "Echo", "deprecated": "use say", "requiresConsent": true,
        "timeoutMs": 2000, "requires": {"command:git": ">=2.30", "env:TOKEN": "*"},
        "needs": {"network": true, "read": true, "write": true, "exec": false,
                  "optional": ["write"]},
        "policySchema": {"type": "object", "additionalProperties": false, "properties": {
            "limit": {"type": "integer", "minimum": -2147483648, "maximum": 2147483647,
                      "default": 3}}},
        "annotations": {"title": "Echo", "readOnlyHint": true, "openWorldHint": false},
        "examples": [{"input": {"text": "a"}, "description": "the least"}, {"input": {"text": "b"}}],
        "owner": "us"
    })"));
    CHECK(tool<echo>("echo", "d").deprecated().spec().at("deprecated") == true);
    CHECK(tool<echo>("echo", "d").needs({.tools = {"git"}}).spec().at("needs").at("tools") ==
          json{"git"});
    const json said = tool<echo>("e", "d")
                          .title("E")
                          .hints({.read_only = true, .idempotent = true})
                          .output<Policy>()
                          .spec();
    CHECK(said.at("annotations") == json{{"title", "E"},
                                         {"readOnlyHint", true},
                                         {"destructiveHint", false},
                                         {"idempotentHint", true},
                                         {"openWorldHint", false}});
    CHECK(said.at("outputSchema").at("properties").contains("limit"));
    CHECK(tool<echo>("e", "d").timeout_ms(5).spec().at("timeoutMs") == 5);
    CHECK(tool<echo>("e", "d").output_schema(json::object()).spec().contains("outputSchema"));
    CHECK(tool<echo>("e", "d").input_schema({{"type", "object"}}).spec().at("inputSchema").size() ==
          1);
    CHECK(tool<echo>("e", "d").policy_schema(json::object()).spec().contains("policySchema"));
    CHECK(tool<echo>("e", "d").annotations({{"a", 1}}).spec().at("annotations").size() == 1);
}

TEST_CASE("several tools are a list, with a family if one is named") {
    const Library plain(tool<echo>("a", "d"), tool<echo>("b", "d"));
    CHECK(spec_of(plain).at("tools").size() == 2);
    CHECK_FALSE(spec_of(plain).contains("family"));
    const Library family_of_one(family("f"), tool<echo>("a", "d"));
    CHECK(spec_of(family_of_one).at("family") == "f");
    CHECK(spec_of(family_of_one).at("tools").at(0).at("name") == "a");
}

TEST_CASE("the spec's header") {
    const Library library(tool<echo>("a", "d"));
    CHECK(library.spec()->struct_size == sizeof(tool_spec_info));
    CHECK(library.spec()->abi_major == 1);
    CHECK(library.spec()->abi_minor == 1);
    CHECK(library.spec()->flags == TOOL_SERIAL);
    CHECK(library.spec()->reserved == 0);
    CHECK(Library(concurrent, tool<echo>("a", "d")).spec()->flags == TOOL_CONCURRENT);
    CHECK(Library(serial, tool<echo>("a", "d")).spec()->flags == TOOL_SERIAL);
}

TEST_CASE("an invalid library definition is reported at construction") {
    CHECK_THROWS_WITH(Library(tool<echo>("a", "d"), tool<echo>("a", "d")), "duplicate tool a");
    CHECK_THROWS((void)raw("{not json", [](Context&) {}));
}

TEST_CASE("input may be JSON, a map, or nothing") {
    CHECK(tool("t", "d", [](const json&) {}).spec().at("inputSchema") == json{{"type", "object"}});
    CHECK(tool("t", "d", [] {}).spec().at("inputSchema").at("properties") == json::object());
    CHECK(tool("t", "d", [](const std::map<std::string, bool>&) {}).spec().at("inputSchema") ==
          json::parse(R"({"type": "object", "additionalProperties": {"type": "boolean"}})"));
}

TEST_CASE("the spec's text has the fields in the order of the struct's members") {
    const toolhost::Library library(tool("t", "d", [](const Unsorted&) {}));
    const std::string text = fake::text(&library.spec()->json);
    CHECK(text.find("\"zebra\"") < text.find("\"apple\""));
    CHECK(text.find("\"apple\"") < text.find("\"mango\""));
    CHECK(spec_of(library).at("inputSchema").at("properties").size() == 3);
}
