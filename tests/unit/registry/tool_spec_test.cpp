#include "host/registry/tool_spec.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::registry;

namespace {
Json minimal() {
    return {{"name", "t"}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}};
}
}  // namespace

TEST_CASE("a minimal spec gets its defaults") {
    auto specs = parse_spec(minimal().dump(), "lib");
    REQUIRE(specs);
    REQUIRE(specs->size() == 1);
    const auto& spec = (*specs)[0];
    CHECK(spec.name == "t");
    CHECK(spec.family == "lib");
    CHECK(spec.version.text() == "1.0.0");
    CHECK_FALSE(spec.deprecated);
    CHECK_FALSE(spec.needs.network);
    CHECK(spec.json()["version"] == "1.0.0");
    CHECK(spec.json()["family"] == "lib");
    CHECK(spec.output_schema() == nullptr);
}

TEST_CASE("a whole spec is read, and unknown keys are kept") {
    Json full = minimal();
    full.update({{"version", "2.1.0"},
                 {"family", "fam"},
                 {"category", "data"},
                 {"deprecated", "use u"},
                 {"requiresConsent", true},
                 {"timeoutMs", 500},
                 {"requires", {{"command:git", ">=2.30"}}},
                 {"needs",
                  {{"network", true},
                   {"exec", true},
                   {"optional", {"exec"}},
                   {"tools", {"u", "native:fam.v@^1"}}}},
                 {"stateful", true},
                 {"inputSchema", {{"json", {{"type", "object"}, {"title", "x"}}}}},
                 {"outputSchema", {{"type", "object"}}},
                 {"policySchema", {{"type", "object"}}},
                 {"colour", "blue"}});
    auto specs = read_spec(full, "lib");
    REQUIRE(specs);
    const auto& spec = (*specs)[0];
    CHECK(spec.version.text() == "2.1.0");
    CHECK(spec.family == "fam");
    CHECK(spec.deprecated == "use u");
    CHECK(spec.requires_consent);
    CHECK(spec.timeout_ms == 500);
    CHECK(spec.requirements.at("command:git") == ">=2.30");
    CHECK(spec.needs.network);
    CHECK(spec.needs.exec);
    CHECK(spec.needs.tools == std::vector<std::string>{"u", "native:fam.v@^1"});
    CHECK(spec.needs.optional == std::vector<std::string>{"exec"});
    CHECK(spec.stateful);
    CHECK(spec.needs.read);  // the default
    CHECK_FALSE(spec.needs.write);
    CHECK(spec.unknown_keys() == std::vector<std::string>{"colour"});
    CHECK(spec.input_schema()["title"] == "x");
    CHECK(spec.output_schema() != nullptr);
    CHECK(spec.policy_schema() != nullptr);
    CHECK(spec.json()["colour"] == "blue");
}

TEST_CASE("a family names its tools") {
    Json two = minimal();
    two["name"] = "u";
    auto specs = read_spec({{"family", "fam"}, {"tools", {minimal(), two}}}, "lib");
    REQUIRE(specs);
    REQUIRE(specs->size() == 2);
    CHECK((*specs)[1].family == "fam");
    CHECK((*specs)[1].name == "u");
}

TEST_CASE("each error has a reason and a position") {
    struct Row {
        const char* what;
        Json patch;
        const char *reason, *mentions;
    };
    for (const auto& [what, patch, reason, mentions] : {
             Row{"no name", {{"name", nullptr}}, "name_missing", "name"},
             Row{"number as name", {{"name", 5}}, "name_invalid", "5"},
             Row{"bad name", {{"name", "a b"}}, "name_invalid", "a b"},
             Row{"no description", {{"description", nullptr}}, "spec_invalid", "description"},
             Row{"description", {{"description", 1}}, "spec_invalid", "/description"},
             Row{"family", {{"family", "a b"}}, "name_invalid", "family"},
             Row{"category", {{"category", 1}}, "spec_invalid", "/category"},
             Row{"version", {{"version", "1"}}, "spec_invalid", "/version"},
             Row{"version type", {{"version", 1}}, "spec_invalid", "/version"},
             Row{"deprecated", {{"deprecated", 1}}, "spec_invalid", "/deprecated"},
             Row{"consent", {{"requiresConsent", "yes"}}, "spec_invalid", "/requiresConsent"},
             Row{"timeout", {{"timeoutMs", 0}}, "spec_invalid", "/timeoutMs"},
             Row{"requires", {{"requires", 1}}, "spec_invalid", "/requires"},
             Row{"range", {{"requires", {{"env:A", "abc"}}}}, "spec_invalid", "/requires/env:A"},
             Row{"command's path",
                 {{"requires", {{"command:/bin/git", "*"}}}},
                 "spec_invalid",
                 "command:/bin/git"},
             Row{"command up", {{"requires", {{"command:..", "*"}}}}, "spec_invalid", "command:.."},
             Row{"no command", {{"requires", {{"command:", "*"}}}}, "spec_invalid", "command:"},
             Row{"needs", {{"needs", 1}}, "spec_invalid", "/needs"},
             Row{"optional", {{"needs", {{"optional", 1}}}}, "spec_invalid", "/needs/optional"},
             Row{"word",
                 {{"needs", {{"exec", true}, {"optional", {"exce"}}}}},
                 "spec_invalid",
                 "\"exce\""},
             Row{"unasked", {{"needs", {{"optional", {"exec"}}}}}, "spec_invalid", "\"exec\""},
             Row{"stateful", {{"stateful", "yes"}}, "spec_invalid", "/stateful"},
             Row{"need", {{"needs", {{"network", "yes"}}}}, "spec_invalid", "/needs/network"},
             Row{"misspelled need",
                 {{"needs", {{"netwrok", true}}}},
                 "spec_invalid",
                 "unknown key 'netwrok' in /needs; did you mean 'network'?"},
             Row{"unknown need", {{"needs", {{"gpu", true}}}}, "spec_invalid", "allowed: network"},
             Row{"needed tools", {{"needs", {{"tools", "a"}}}}, "spec_invalid", "/needs/tools"},
             Row{"too many tools",
                 {{"needs", {{"tools", std::vector<std::string>(65, "a")}}}},
                 "spec_invalid",
                 "/needs/tools"},
             Row{"needed tool",
                 {{"needs", {{"tools", {"a", 1}}}}},
                 "spec_invalid",
                 "/needs/tools/1"},
             Row{"bad reference",
                 {{"needs", {{"tools", {"a b"}}}}},
                 "spec_invalid",
                 "/needs/tools/0"},
             Row{"no input", {{"inputSchema", nullptr}}, "input_schema_missing", "inputSchema"},
             Row{"input", {{"inputSchema", 5}}, "input_schema_invalid", "/inputSchema"},
             Row{"output", {{"outputSchema", 5}}, "output_schema_invalid", "/outputSchema"},
             Row{"policy", {{"policySchema", 5}}, "spec_invalid", "/policySchema"},
         }) {
        const auto& shown_what = what;
        CAPTURE(shown_what);
        Json document = minimal();
        for (const auto& [key, value] : patch.items())
            if (value.is_null())
                document.erase(key);
            else
                document[key] = value;
        auto specs = read_spec(document, "lib");
        REQUIRE_FALSE(specs);
        CHECK(specs.error().reason == reason);
        CHECK(specs.error().message.find(mentions) != std::string::npos);
    }
}

// Specs are untrusted, and reading one costs the host time and memory.
TEST_CASE("a spec is limited in size, and the message names the limit") {
    const auto fault_of = [](const Json& document) {
        const auto specs = parse_spec(document.dump(), "lib");
        return specs ? std::string()
                     : std::string(specs.error().reason) + ' ' + specs.error().message;
    };
    const auto family_of = [](std::size_t count, const auto& change) {
        Json family{{"family", "f"}, {"tools", Json::array()}};
        for (std::size_t i = 0; i < count; ++i) {
            Json tool = minimal();
            tool["name"] = "t" + std::to_string(i);
            change(tool, i);
            family["tools"].push_back(std::move(tool));
        }
        return family;
    };
    const auto as_is = [](Json&, std::size_t) {};
    CHECK(fault_of(family_of(1000, as_is)) == "");
    CHECK(fault_of(family_of(1001, as_is)) ==
          "spec_invalid /tools has 1001 tools; at most 1000 are allowed in a library");

    const auto with_examples = [](std::size_t count) {
        return [count](Json& tool, std::size_t) {
            tool["examples"] = Json(count, Json{{"input", Json::object()}});
        };
    };
    CHECK(fault_of(family_of(1, with_examples(100))) == "");
    CHECK(fault_of(family_of(1, with_examples(101))) ==
          "spec_invalid tool 't0': /examples has 101 entries; at most 100 are allowed");

    const auto with_requirements = [](std::size_t count, const std::string& kind) {
        return [count, kind](Json& tool, std::size_t i) {
            for (std::size_t j = 0; j < count; ++j)
                tool["requires"][kind + std::to_string(i * count + j)] = "*";
        };
    };
    CHECK(fault_of(family_of(1, with_requirements(64, "env:A"))) == "");
    CHECK(fault_of(family_of(1, with_requirements(65, "env:A"))) ==
          "spec_invalid tool 't0': /requires has 65 entries; at most 64 are allowed");
    // Each may run a program.
    CHECK(fault_of(family_of(8, with_requirements(4, "command:c"))) == "");
    CHECK(fault_of(family_of(11, with_requirements(3, "command:c"))) ==
          "spec_invalid the tools require 33 different commands; at most 32 are allowed in a "
          "library");

    const auto with_keys = [](std::size_t count) {
        return [count](Json& tool, std::size_t) {
            while (tool.size() < count) tool["own" + std::to_string(tool.size())] = 1;
        };
    };
    CHECK(fault_of(family_of(1, with_keys(256))) == "");
    CHECK(fault_of(family_of(1, with_keys(257))) ==
          "spec_invalid tool 't0': the spec has 257 keys; at most 256 are allowed");

    // Unknown keys beside the tools are copied to each tool.
    auto beside = family_of(2, as_is);
    beside["own"] = std::string(4000, 'x');
    CHECK(fault_of(beside) == "");
    beside["own"] = std::string(5000, 'x');
    CHECK(fault_of(beside) ==
          "spec_invalid unknown keys beside \"tools\" have 5005 bytes; at most 4096 are allowed");
}

TEST_CASE("near misses of known keys are refused with the right name") {
    struct Row {
        const char *typed, *meant;
    };
    for (auto [typed, meant] :
         {Row{"requireConsent", "requiresConsent"}, Row{"require_consent", "requiresConsent"},
          Row{"requires_consent", "requiresConsent"}, Row{"RequiresConsent", "requiresConsent"},
          Row{"inputSchma", "inputSchema"}, Row{"output_schema", "outputSchema"},
          Row{"timeoutMS", "timeoutMs"}, Row{"timeout", "timeoutMs"}, Row{"need", "needs"},
          Row{"require", "requires"}, Row{"meta", "_meta"}, Row{"deprected", "deprecated"},
          Row{"denialReason", "denialReasons"}}) {
        const auto& shown_typed = typed;
        CAPTURE(shown_typed);
        Json document = minimal();
        document[typed] = true;
        for (const Json& whole : {document, Json{{"tools", {document}}}}) {
            auto specs = read_spec(whole, "lib");
            REQUIRE_FALSE(specs);
            CHECK(specs.error().reason == "spec_invalid");
            CHECK(specs.error().message.find("did you mean '" + std::string(meant) + "'?") !=
                  std::string::npos);
        }
        Json family{{"tools", {minimal()}}};
        family[typed] = true;
        CHECK_FALSE(read_spec(family, "lib"));
    }
}

TEST_CASE("keys with x- are kept") {
    Json document = minimal();
    for (const char* key : {"x-requireConsent", "maintainer", "licence", "cost", "tags"})
        document[key] = 1;
    document["annotations"] = {{"requireConsent", 1}};
    document["_meta"] = {{"inputSchma", 1}};
    auto specs = read_spec(document, "lib");
    REQUIRE(specs);
    CHECK((*specs)[0].unknown_keys() ==
          std::vector<std::string>{"cost", "licence", "maintainer", "tags"});
    auto family = read_spec({{"tools", {minimal()}}, {"colour", "blue"}, {"x-own", 1}}, "lib");
    REQUIRE(family);
    CHECK((*family)[0].unknown_keys() == std::vector<std::string>{"colour"});
    CHECK((*family)[0].json()["colour"] == "blue");
}

TEST_CASE("keys without effect beside tools are refused") {
    for (const char* key : {"requiresConsent", "needs", "timeoutMs", "deprecated", "stateful"}) {
        CAPTURE(key);
        Json family{{"tools", {minimal()}}};
        family[key] = true;
        auto specs = read_spec(family, "lib");
        REQUIRE_FALSE(specs);
        CHECK(specs.error().message.find(std::string("/") + key + " has no effect") !=
              std::string::npos);
    }
    CHECK(read_spec({{"tools", {minimal()}},
                     {"needs", {{"network", true}}},
                     {"resources", {{{"uri", "a:b"}, {"name", "b"}}}}},
                    "lib"));
}

TEST_CASE("documents that are not specs") {
    struct Row {
        const char *text, *reason;
    };
    for (auto [text, reason] : {
             Row{"", "spec_not_json"},
             Row{"[]", "spec_not_json"},
             Row{"\"\xFF\"", "spec_not_utf8"},
             Row{R"({"tools": []})", "spec_invalid"},
             Row{R"({"tools": {}})", "spec_invalid"},
             Row{R"({"tools": [1]})", "spec_invalid"},
             Row{R"({"family": 1, "tools": [1]})", "spec_invalid"},
         }) {
        const auto& shown_text = text;
        CAPTURE(shown_text);
        auto specs = parse_spec(text, "lib");
        REQUIRE_FALSE(specs);
        CHECK(specs.error().reason == reason);
    }
    Json twin = minimal();
    auto specs = read_spec({{"tools", {minimal(), twin}}}, "lib");
    REQUIRE_FALSE(specs);
    CHECK(specs.error().reason == "name_duplicate");
}
