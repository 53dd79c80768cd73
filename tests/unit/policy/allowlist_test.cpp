#include "host/policy/allowlist.hpp"

#include <algorithm>

#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;

namespace {

registry::Snapshot catalogue() {
    auto tool = [](const char* name, Json extra) {
        Json json{{"name", name}, {"description", "d"}, {"inputSchema", Json::object()}};
        json.update(extra);
        auto specs = registry::read_spec(json, "lib");
        return registry::Tool{(*specs)[0], std::make_shared<registry::Library>(), {}, {}};
    };
    return std::make_shared<registry::Catalogue>(
        std::vector{tool("new_one", Json::object()), tool("old_one", {{"deprecated", true}})});
}

bool has(const std::vector<std::string>& all, const char* one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the allowlist contains all forms of all usable tools") {
    auto tools = catalogue();
    auto references = Allowlist(tools, {}).references();
    for (const char* form :
         {"new_one", "native:new_one", "native:lib.new_one", "strands_tools.new_one",
          "strands_tools.new_one.new_one", "strands_tools.lib.new_one", "native:new_one@1.0.0"})
        CHECK(has(references, form));
    CHECK_FALSE(has(references, "old_one"));
}

TEST_CASE("naming a tool widens it") {
    auto tools = catalogue();
    Allowlist list(tools, {"native:old_one", "nothing"});
    CHECK(list.widened(**tools->resolve("old_one")));
    CHECK_FALSE(list.widened(**tools->resolve("new_one")));
    CHECK(has(list.references(), "old_one"));
    REQUIRE(list.warnings().size() == 1);
    CHECK(list.warnings()[0].find("unknown tool 'nothing'") != std::string::npos);
}

TEST_CASE("a tool of another catalogue is not allowed") {
    auto tools = catalogue(), others = catalogue();
    Allowlist list(tools, {});
    CHECK(list.allows(**tools->resolve("new_one")));
    CHECK_FALSE(list.allows(**others->resolve("new_one")));
}

TEST_CASE("a profile narrows it, and the rule is named") {
    auto tools = catalogue();
    auto profile = test::profile("tools: {deny: ['new_*']}");
    Allowlist list(tools, {}, profile);
    const auto& denied = **tools->resolve("new_one");
    CHECK_FALSE(list.allows(denied));
    CHECK(list.rule(denied) == profile->judge(denied.spec).rule);
    CHECK(list.references().empty());
    CHECK(list.allows(**tools->resolve("old_one")));
    CHECK(list.rule(**tools->resolve("old_one")) == "");
    CHECK(list.rule(**catalogue()->resolve("new_one")) == "");
}

TEST_CASE("naming a tool widens an allow list, but does not lift a denial") {
    auto tools = catalogue();
    auto of = [&](const char* yaml) { return Allowlist(tools, {"new_one"}, test::profile(yaml)); };
    const auto& tool = **tools->resolve("new_one");
    CHECK(of("tools: {allow: []}").allows(tool));
    CHECK(has(of("tools: {allow: []}").references(), "new_one"));
    CHECK_FALSE(of("tools: {allow: []}").allows(**tools->resolve("old_one")));
    CHECK_FALSE(of("tools: {allow: [new_one], deny: [new_one]}").allows(tool));
    CHECK_FALSE(Allowlist(tools, {}, test::profile("tools: {allow: []}")).allows(tool));
}

TEST_CASE("TOOLHOST_ALLOW is a comma-separated list") {
    CHECK(parse_allow("") == std::vector<std::string>{});
    CHECK(parse_allow(" a , native:b,, c") == std::vector<std::string>{"a", "native:b", "c"});
    CHECK(parse_allow(",") == std::vector<std::string>{});
}

TEST_CASE("a library whose tools are all shadowed offers nothing under any profile") {
    const Json offered{{"uri", "a:b"}, {"name", "b"}};
    std::vector<registry::Tool> found;
    const auto add = [&](const char* family, std::vector<std::string> names) {
        Json tools = Json::array();
        for (const auto& name : names)
            tools.push_back(
                {{"name", name}, {"description", "d"}, {"inputSchema", Json::object()}});
        const auto library = std::make_shared<registry::Library>();
        auto specs = registry::read_spec(
            {{"family", family}, {"tools", tools}, {"resources", {offered}}}, "lib");
        for (auto& one : *specs) found.push_back({std::move(one), library, {}, {}});
    };
    add("first", {"a_tool"});
    add("duplicate", {"a_tool"});
    add("twin", {"a-tool"});
    add("partly", {"a_tool", "another"});
    const auto all = std::make_shared<registry::Catalogue>(std::move(found));
    REQUIRE(all->hidden().size() == 4);
    for (const char* profile : {"", "tools: {}", "tools: {allow: ['*']}"}) {
        CAPTURE(profile);
        const Allowlist list(all, {}, *profile ? test::profile(profile) : nullptr);
        CHECK(list.allows(all->hidden()[0]));
        CHECK_FALSE(list.allows(all->hidden()[1]));
        CHECK_FALSE(list.allows(all->hidden()[2]));
        CHECK(list.allows(all->hidden()[3]));
        CHECK(list.rule(all->hidden()[1]).find("shadowed") != std::string::npos);
    }
    const Allowlist partly(all, {}, test::profile("tools: {deny: [another]}"));
    CHECK_FALSE(partly.allows(all->hidden()[3]));
}

TEST_CASE("offers of a library are allowed with its tools or its family") {
    const Json tool{{"name", "one"}, {"description", "d"}, {"inputSchema", Json::object()}};
    const Json two{{"name", "two"}, {"description", "d"}, {"inputSchema", Json::object()}};
    const Json offered{{"uri", "a:b"}, {"name", "b"}};
    std::vector<registry::Tool> found;
    const auto add = [&](const Json& spec) {
        const auto library = std::make_shared<registry::Library>();
        auto specs = registry::read_spec(spec, "lib");
        for (auto& one : *specs) found.push_back({std::move(one), library, {}, {}});
    };
    add({{"family", "fam"}, {"tools", {tool, two}}, {"resources", {offered}}});
    add({{"family", "alone"}, {"resources", {offered}}});
    const auto all = std::make_shared<registry::Catalogue>(std::move(found));
    REQUIRE(all->hidden().size() == 2);
    struct Row {
        const char* profile;
        bool beside, alone;
    };
    for (const auto& row :
         {Row{"tools: {}", true, true}, Row{"tools: {allow: []}", false, false},
          Row{"tools: {allow: [two]}", true, false}, Row{"tools: {allow: [alone]}", false, true},
          Row{"tools: {allow: ['native:alone.*']}", false, true},
          Row{"tools: {deny: [one]}", true, true}, Row{"tools: {deny: ['re*']}", true, true},
          Row{"tools: {deny: ['native:fam.*', alone]}", false, false}}) {
        CAPTURE(row.profile);
        const Allowlist list(all, {}, test::profile(row.profile));
        CHECK(list.allows(all->hidden()[0]) == row.beside);
        CHECK(list.allows(all->hidden()[1]) == row.alone);
        CHECK(list.rule(all->hidden()[0]).empty() == row.beside);
    }
    CHECK(Allowlist(all, {"one"}, test::profile("tools: {allow: []}")).allows(all->hidden()[0]));
    for (const auto& reference : Allowlist(all, {}).references())
        CHECK(reference.find('/') == std::string::npos);
}
