#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;

TEST_CASE("deny takes precedence over allow, in any order") {
    auto profile = test::profile("tools:\n  deny: ['native:file_*']\n  allow: [file_write, git]\n");
    CHECK(profile->judge(spec("git")).allowed);
    auto denied = profile->judge(spec("file_write"));
    CHECK_FALSE(denied.allowed);
    CHECK(denied.denied);
    CHECK(denied.rule.starts_with("tools.deny \"native:file_*\" of profile 'p' ("));
    CHECK(denied.rule.ends_with("/p.yml:2:10)"));
    auto lacking = profile->judge(spec("shell"));
    CHECK_FALSE(lacking.allowed);
    CHECK_FALSE(lacking.denied);
    CHECK(lacking.rule.starts_with("tools.allow of profile 'p' ("));
    CHECK(lacking.rule.ends_with("/p.yml:3:3) does not list it"));
}

TEST_CASE("a missing allow list allows every tool, an empty one allows no tool") {
    CHECK(test::profile("name: p")->judge(spec("t")).allowed);
    CHECK(test::profile("tools: {}")->judge(spec("t")).allowed);
    CHECK(test::profile("tools: {deny: [x]}")->judge(spec("t")).allowed);
    auto none = test::profile("tools: {allow: []}")->judge(spec("t"));
    CHECK_FALSE(none.allowed);
    CHECK(none.rule.ends_with("/p.yml:1:9) does not list it"));
    CHECK(test::profile("tools: {allow: ['*']}")->judge(spec("t")).allowed);
}

TEST_CASE("versions and families narrow a rule") {
    auto profile = test::profile("tools: {allow: ['t@^1', 'native:good.*'], deny: ['*@>=3']}");
    CHECK(profile->judge(spec("t", {{"version", "1.4.0"}})).allowed);
    CHECK_FALSE(profile->judge(spec("t", {{"version", "2.0.0"}})).allowed);
    CHECK(profile->judge(spec("u", Json::object(), "good")).allowed);
    CHECK_FALSE(profile->judge(spec("u", Json::object(), "bad")).allowed);
    CHECK(profile->judge(spec("u", {{"version", "3.0.0"}}, "good")).denied);
}

TEST_CASE("an inherited denial cannot be removed, and the rule names its profile") {
    test::TempFolder folder;
    folder.write("strict.yml", "tools:\n  deny: [shell]\n");
    folder.write("mine.yml", "extends: strict\ntools: {allow: [shell], deny: []}\n");
    auto profile = load_profile("mine", folder.path());
    REQUIRE(profile);
    CHECK((*profile)->judge(spec("shell")).rule ==
          "tools.deny \"shell\" of profile 'strict' (" + folder.path() + "/strict.yml:2:10)");
}

TEST_CASE("policies apply to the tools that they match") {
    auto profile = test::profile("policies: {git: {}, 'file_*@^2': {timeoutMs: 1}}");
    CHECK(profile->speaks_of(spec("git")));
    CHECK_FALSE(profile->speaks_of(spec("gitx")));
    CHECK_FALSE(profile->speaks_of(spec("file_read")));
    CHECK(profile->speaks_of(spec("file_read", {{"version", "2.1.0"}})));
    CHECK_FALSE(test::profile("name: p")->speaks_of(spec("git")));
}
