#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

namespace {

const Json kGitSchema = Json::parse(R"({
    "type": "object", "additionalProperties": false,
    "properties": {
        "allowed_actions": {"type": "array", "items": {"enum": ["status", "log", "push"]},
                            "default": ["status"]},
        "allow_push": {"type": "boolean", "default": false},
        "limits": {"type": "object", "properties": {"files": {"type": "integer", "default": 10},
                                                    "bytes": {"type": "integer"}}}}})");

registry::ToolSpec git() {
    return spec("git", {{"policySchema", kGitSchema}});
}

std::string refusal(const std::string& yaml, const registry::ToolSpec& tool) {
    auto own = test::profile(yaml)->own_policy(tool);
    if (own) return "";
    CHECK(own.error().code == ErrorCode::invalid_input);
    const auto& message = own.error().message;
    return message.substr(message.find("p.yml"));
}

}  // namespace

TEST_CASE("the profile's values override the schema's defaults") {
    auto own =
        test::profile("policies:\n  git: {allow_push: true, limits: {bytes: 5}, timeoutMs: 9}\n")
            ->own_policy(git());
    REQUIRE(own);
    CHECK(*own == Json::parse(R"({"allowed_actions": ["status"], "allow_push": true,
                                  "limits": {"files": 10, "bytes": 5}})"));
    CHECK(*test::profile("name: p")->own_policy(git()) ==
          Json::parse(R"({"allowed_actions": ["status"], "allow_push": false})"));
}

TEST_CASE("all matching entries are merged to one policy") {
    auto own = test::profile(
                   "policies:\n  git: {allowed_actions: [log]}\n"
                   "  'g*': {allowed_actions: [push], limits: {files: 1}}\n"
                   "  '*': {limits: {bytes: 2}}\n")
                   ->own_policy(git());
    REQUIRE(own);
    CHECK((*own)["allowed_actions"] == Json{"log"});
    CHECK((*own)["limits"] == Json{{"files", 1}, {"bytes", 2}});
}

TEST_CASE("invalid values are refused with their position") {
    struct Row {
        std::string yaml, message;
    };
    for (const auto& [yaml, message] :
         {Row{"policies:\n  git:\n    allowed_actions: [log, pull]\n",
              "p.yml:3:28: the policy of tool 'git': /allowed_actions/1: must be one of "},
          Row{"policies:\n  git: {allow_push: maybe}",
              "p.yml:2:21: the policy of tool 'git': /allow_push: must be a boolean"},
          Row{"policies:\n  git: {limits: {files: x}}",
              "p.yml:2:25: the policy of tool 'git': /limits/files: must be an integer"},
          Row{"policies:\n  git: {alow_push: true}",
              "p.yml:2:9: the policy of tool 'git': unknown key 'alow_push'; did you mean "
              "'allow_push'? allowed: allow_push, allowed_actions, limits"},
          Row{"policies:\n  git: {timeout_ms: [1]}",
              "p.yml:2:9: the policy of tool 'git': unknown key 'timeout_ms'; allowed: allow_push, "
              "allowed_actions, limits; did you mean 'timeoutMs'?"}}) {
        const auto& shown_yaml = yaml;
        CAPTURE(shown_yaml);
        CHECK(refusal(yaml, git()).substr(0, message.size()) == message);
    }
    const auto two = refusal("policies: {git: {allow_push: 1, allowed_actions: 2}}", git());
    CHECK(std::count(two.begin(), two.end(), '\n') == 1);
}

TEST_CASE("the details contain the position and the pointer") {
    auto profile = test::profile("policies: {'g*': {allow_push: 1}}");
    auto own = profile->own_policy(git());
    REQUIRE_FALSE(own);
    CHECK(own.error().details ==
          Json{{"file", profile->file()}, {"line", 1}, {"column", 31}, {"pointer", "/allow_push"}});
}

TEST_CASE("a tool without a policySchema accepts general settings only") {
    CHECK(*test::profile("policies: {t: {timeoutMs: 5}}")->own_policy(spec("t")) == Json::object());
    CHECK(*test::profile("name: p")->own_policy(spec("t")) == Json::object());
    CHECK(refusal("policies: {t: {colour: red}}", spec("t")) ==
          "p.yml:1:16: the policy of tool 't': unknown key 'colour'; the tool does not define a "
          "policy; only the general settings apply");
    CHECK(refusal("policies: {t: {timeoutMS: {a: 1}}}", spec("t")) ==
          "p.yml:1:16: the policy of tool 't': unknown key 'timeoutMS'; the tool does not define a "
          "policy; did you mean 'timeoutMs'?");
}

TEST_CASE("a tool that declares a general setting receives it") {
    const auto tool =
        spec("t", {{"policySchema", {{"properties", {{"timeoutMs", {{"default", 7}}}}}}}});
    auto profile = test::profile("policies: {t: {timeoutMs: 5}}");
    CHECK(*profile->own_policy(tool) == Json{{"timeoutMs", 5}});
    CHECK(profile->limits(tool).timeout_ms == 5);
    CHECK(*test::profile("name: p")->own_policy(tool) == Json{{"timeoutMs", 7}});
}

TEST_CASE("a missing required setting has no line number") {
    const auto tool = spec("t", {{"policySchema", {{"required", {"root"}}}}});
    const auto message = refusal("policies: {t: {}}", tool);
    CHECK(message.starts_with("p.yml: the policy of tool 't': missing required field"));
}
