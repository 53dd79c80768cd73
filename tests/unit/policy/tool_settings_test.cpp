#include "host/policy/tool_settings.hpp"

#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

namespace {

const Json kOwn = Json::parse(R"({
    "type": "object", "properties": {"depth": {"type": "integer", "minimum": 1, "default": 3}}})");

registry::ToolSpec tool() {
    return spec("t", {{"version", "1.2.0"}, {"timeoutMs", 40}, {"policySchema", kOwn}});
}

std::string refusal(const Json& values) {
    auto changed = with_settings(*built_in_profile(), tool(), values, "--set");
    return changed ? "" : changed.error().message;
}

}  // namespace

TEST_CASE("settings override all entries of the profile, for that tool only") {
    const auto profile =
        test::profile("policies: {t: {timeoutMs: 5, depth: 8}, '*': {maxOutputChars: 7}}\n");
    const Json values{{"timeoutMs", 90000}, {"maxOutputChars", 11}, {"depth", 4}};
    const auto changed = with_settings(*profile, tool(), values, "--set");
    REQUIRE(changed);
    CHECK((*changed)->limits(tool()).timeout_ms == 90000);
    CHECK((*changed)->limits(tool()).max_output_chars == 11);
    CHECK((*changed)->own_policy(tool())->at("depth") == 4);
    CHECK((*changed)->name() == profile->name());
    CHECK((*changed)->origin(tool(), "timeoutMs") == "--set");
    for (const auto& other : {spec("other"), spec("t", {{"version", "1.3.0"}}),
                              spec("t", {{"version", "1.2.0"}}, "elsewhere")})
        CHECK((*changed)->limits(other).max_output_chars == 7);
}

TEST_CASE("settings do not change denials and grants") {
    const auto profile = test::profile("tools: {deny: [t]}\n");
    const auto changed = with_settings(*profile, tool(), {{"depth", 2}}, "--set");
    REQUIRE(changed);
    CHECK_FALSE((*changed)->judge(tool()).allowed);
}

TEST_CASE("unknown settings are refused") {
    CHECK(refusal({{"timeoutMS", 5}}).find("did you mean 'timeoutMs'?") != std::string::npos);
    CHECK(refusal({{"deph", 5}}).find("did you mean 'depth'?") != std::string::npos);
    for (const char* key : {"consent", "grants", "workspace", "tools"})
        CHECK(refusal({{key, "x"}}).find("has no setting") != std::string::npos);
    CHECK(refusal({{"timeoutMs", "soon"}}).starts_with("--set: "));
    CHECK_FALSE(refusal({{"timeoutMs", 0}}).empty());
    CHECK_FALSE(refusal({{"depth", 0}}).empty());
    CHECK_FALSE(refusal({{"sandbox", "sometimes"}}).empty());
}

TEST_CASE("the schema of settings has general settings and the tool's own keys") {
    const auto schema = settings_schema(tool());
    CHECK(schema.at("properties").contains("maxOutputChars"));
    CHECK(schema.at("properties").at("depth") == kOwn["properties"]["depth"]);
}
