// Host::create_tool: a tool of the embedding program behaves like any other.
#include <algorithm>

#include "tests/unit/embed/home.hpp"

using namespace toolhost;
using namespace toolhost::test;

namespace {

bool lists(const Host& host, const std::string& name) {
    const auto tools = host.list();
    REQUIRE(tools);
    return std::ranges::any_of(*tools, [&](const auto& tool) { return tool.at("name") == name; });
}

std::string reason_of(const HostResult<>& refused) {
    REQUIRE_FALSE(refused);
    const auto& [code, message, details] = refused.error();
    return details.is_null() ? code : code + ' ' + details.at("reason").get<std::string>();
}

}  // namespace

TEST_CASE("a created tool is listed, validated, called and logged") {
    Home home;
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("repeat"), repeat));
    CHECK(lists(host, "repeat"));
    CHECK(text_of(host.call({.tool = "repeat", .input = {{"word", "a"}}})) == "a");
    CHECK(text_of(host.call({.tool = "native:embedder.repeat@^1",
                             .input = {{"word", "a"}, {"times", 3}}})) == "aaa");
    CHECK(code_of(host.call({.tool = "repeat"})) == "invalid_input");
    CHECK(code_of(host.call({.tool = "repeat", .input = {{"word", "a"}, {"times", 10}}})) ==
          "invalid_input");
    host.shutdown();
    const auto events = home.events();
    CHECK(events.find(R"("event":"hook.tool.after")") != events.npos);
    CHECK(events.find(R"("tool":"repeat")") != events.npos);
    CHECK(events.find(R"("isolation":"in_process")") != events.npos);
}

TEST_CASE("the output of a created tool must match its outputSchema") {
    Home home;
    auto host = home.open();
    const nlohmann::ordered_json output{
        {"outputSchema", {{"type", "object"}, {"required", {"sum"}}}}};
    REQUIRE(host.create_tool(spec_of("sum", output), [](const ToolInput& input, ToolCall&) {
        return ToolReply::json({{input.input.at("word").get<std::string>(), 1}});
    }));
    CHECK(host.call({.tool = "sum", .input = {{"word", "sum"}}}).ok());
    CHECK(code_of(host.call({.tool = "sum", .input = {{"word", "other"}}})) == "invalid_output");
}

TEST_CASE("a name that exists and a spec that is invalid are refused") {
    Home home;
    home.add("echo");
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("my-tool"), repeat));
    CHECK(reason_of(host.create_tool(spec_of("echo"), repeat)) == "already_exists");
    CHECK(reason_of(host.create_tool(spec_of("my-tool", {{"version", "2.0.0"}}), repeat)) ==
          "already_exists");
    CHECK(reason_of(host.create_tool(spec_of("my_tool"), repeat)) == "already_exists");
    CHECK(reason_of(host.create_tool(spec_of("two words"), repeat)) == "invalid_spec name_invalid");
    CHECK(reason_of(host.create_tool("text", repeat)) == "invalid_spec spec_not_json");
    CHECK(reason_of(host.create_tool(spec_of("a", {{"inputSchema", {{"type", "objekt"}}}}),
                                     repeat)) == "invalid_spec input_schema_invalid");
    CHECK(reason_of(host.create_tool({{"tools", {spec_of("a"), spec_of("b")}}}, repeat)) ==
          "invalid_spec spec_invalid");
    CHECK(reason_of(host.create_tool(spec_of("a"), nullptr)) == "invalid_input");
    CHECK(host.list()->size() == 2);
}

TEST_CASE("a created tool is kept by a reload, and no plugin takes its name") {
    Home home;
    auto host = home.open();
    // Older than the plugin, whose version is 1.0.0.
    REQUIRE(host.create_tool(spec_of("echo", {{"version", "0.9.0"}}), repeat));
    home.add("echo");
    home.add("adder");
    CHECK(host.reload());
    CHECK(lists(host, "adder"));
    CHECK(host.list()->size() == 2);
    CHECK(text_of(host.call({.tool = "echo", .input = {{"word", "mine"}}})) == "mine");
    REQUIRE(host.create_tool(spec_of("other"), repeat));
    REQUIRE(host.delete_tool("echo"));
    // The plugin that it shadowed is available at once.
    CHECK(text_of(host.call({.tool = "echo", .input = {{"word", "mine"}}})) != "mine");
    CHECK(lists(host, "echo"));
}

TEST_CASE("a deleted tool is gone, and its name is free again") {
    Home home;
    home.add("echo");
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("repeat"), repeat));
    REQUIRE(host.delete_tool("repeat"));
    CHECK_FALSE(lists(host, "repeat"));
    CHECK(code_of(host.call({.tool = "repeat", .input = {{"word", "a"}}})) == "unknown_tool");
    CHECK(reason_of(host.delete_tool("repeat")) == "unknown_tool");
    CHECK(reason_of(host.delete_tool("echo")) == "unknown_tool");
    // The same spec with another function.
    REQUIRE(host.create_tool(spec_of("repeat"),
                             [](const ToolInput&, ToolCall&) { return ToolReply::text("new"); }));
    CHECK(text_of(host.call({.tool = "repeat", .input = {{"word", "a"}}})) == "new");
}

TEST_CASE("the profile applies to created tools") {
    Home home;
    home.profile("tools: {deny: [secret]}\ndefaults: {isolation: process, sandbox: required}\n");
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("secret"), repeat));
    REQUIRE(host.create_tool(spec_of("connects", {{"needs", {{"network", true}}}}), repeat));
    REQUIRE(host.create_tool(spec_of("repeat"), repeat));
    CHECK_FALSE(lists(host, "secret"));
    CHECK(code_of(host.call({.tool = "secret", .input = {{"word", "a"}}})) == "tool_not_allowed");
    CHECK(code_of(host.call({.tool = "connects", .input = {{"word", "a"}}})) == "policy_denied");
    CHECK(host.call({.tool = "repeat", .input = {{"word", "a"}}}).ok());
    home.profile("tools: {deny: [repeat]}\n");
    CHECK(host.reload());
    CHECK(code_of(host.call({.tool = "repeat", .input = {{"word", "a"}}})) == "tool_not_allowed");
}

TEST_CASE("a requirement of a created tool is checked") {
    Home home;
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("repeat", {{"requires", {{"env:TOOLHOST_TEST_UNSET", "*"}}}}),
                             repeat));
    CHECK(code_of(host.call({.tool = "repeat", .input = {{"word", "a"}}})) ==
          "requirement_missing");
}

TEST_CASE("consent names the embedding program and applies to one spec only") {
    Home home;
    auto host = home.open();
    std::vector<std::string> texts;
    CallObserver observer;
    observer.consent = [&](const nlohmann::json& question) -> std::optional<Consent> {
        texts.push_back(question.at("text").get<std::string>());
        return Consent::always;
    };
    auto call = [&] {
        return code_of(host.call({.tool = "careful", .input = {{"word", "a"}}}, observer));
    };
    REQUIRE(host.create_tool(spec_of("careful", {{"requiresConsent", true}}), repeat));
    CHECK(code_of(host.call({.tool = "careful", .input = {{"word", "a"}}})) == "consent_required");
    CHECK(call() == "success");
    CHECK(call() == "success");
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].find("family embedder, part of the embedding program") != std::string::npos);
    REQUIRE(host.delete_tool("careful"));
    REQUIRE(host.create_tool(
        spec_of("careful", {{"requiresConsent", true}, {"description", "Something else."}}),
        repeat));
    CHECK(call() == "success");
    CHECK(texts.size() == 2);
}
