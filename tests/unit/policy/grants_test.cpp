#include "host/policy/grants.hpp"

#include "host/policy/config.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/policy/specs.hpp"

using namespace toolhost;
using namespace toolhost::policy;
using test::spec;
using Words = std::vector<std::string>;

namespace {

const Json kAll{{"needs", {{"network", true}, {"exec", true}, {"write", true}}}};

Config config(const std::string& yaml) {
    test::TempFolder folder;
    folder.write("config.yml", yaml);
    auto loaded = load_config(folder / "config.yml", true);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return *loaded;
}

}  // namespace

TEST_CASE("an unknown plugin may only read the workspace, and its missing grants are named") {
    auto granted = test::profile("name: p")->granted(spec("t", kAll), false, {});
    CHECK(granted.read);
    CHECK_FALSE((granted.network || granted.exec || granted.write));
    CHECK(granted.write_paths.empty());
    CHECK(granted.missing == Words{"network", "exec", "write"});
    auto plain = test::profile("name: p")->granted(spec("t"), false, {});
    CHECK(plain.read);
    CHECK(plain.missing.empty());
    CHECK_FALSE(test::profile("name: p")
                    ->granted(spec("t", {{"needs", {{"read", false}}}}), false, {})
                    .read);
    CHECK(grant_advice("weather", "network") == "toolhost grant weather network");
}

TEST_CASE("missing optional needs are distinguished from required ones") {
    const Json needs{{"needs", {{"network", true}, {"write", true}, {"optional", {"write"}}}}};
    auto granted = test::profile("name: p")->granted(spec("t", needs), false, {});
    CHECK(granted.missing == Words{"network"});
    CHECK(granted.missing_optional == Words{"write"});
    granted = test::profile("grants: {t: [write, network]}")->granted(spec("t", needs), false, {});
    CHECK(granted.missing.empty());
    CHECK(granted.missing_optional.empty());
}

TEST_CASE("a grant that the spec does not request has no effect") {
    auto profile = test::profile("grants: {'*': [network, exec, write, write=/x]}");
    auto granted = profile->granted(spec("t", {{"needs", {{"exec", true}}}}), false, {});
    CHECK(granted.exec);
    CHECK_FALSE((granted.network || granted.write));
    CHECK(granted.write_paths.empty());
    CHECK(granted.missing.empty());
}

TEST_CASE("the profile's grants and the user's count together") {
    auto profile = test::profile("grants:\n  'web_*': [network]\n  web_a: [write=/x, write=/x]\n");
    auto user = config("grants:\n  native:web_a: [exec, write=y/z]\n  other: [write]\n");
    auto granted = profile->granted(spec("web_a", kAll), false, user.grants);
    CHECK((granted.network && granted.exec));
    CHECK_FALSE(granted.write);
    CHECK(granted.write_paths == Words{"/x", "y/z"});
    CHECK(granted.missing.empty());
    CHECK(profile->granted(spec("web-a", kAll), false, {}).missing == Words{"exec"});
    auto other = profile->granted(spec("other", kAll), false, user.grants);
    CHECK(other.write);
    CHECK(other.missing == Words{"network", "exec"});
    REQUIRE(user.grants.size() == 3);
    CHECK(user.grants[0].place.text().ends_with("config.yml:2:18"));
    CHECK(user.grants[1].word.text() == "write=y/z");
    CHECK(user.grants[2].key.text == "other");
}

TEST_CASE("a profile can refuse the user's grants, and its child allow them again") {
    auto user = config("grants: {t: [network]}");
    CHECK_FALSE(test::profile("userGrants: false\ngrants: {t: [exec]}")
                    ->granted(spec("t", kAll), false, user.grants)
                    .network);
    CHECK(test::profile("userGrants: false\ngrants: {t: [exec]}")
              ->granted(spec("t", kAll), false, user.grants)
              .exec);
    for (const char* name : {"locked-down", "read-only"})
        CHECK_FALSE((*load_profile(name, ""))->user_grants());
    for (const char* name : {"default", "ci"}) CHECK((*load_profile(name, ""))->user_grants());
    CHECK(test::profile("extends: locked-down\nuserGrants: true")
              ->granted(spec("t", kAll), false, user.grants)
              .network);
}

TEST_CASE("shipped: matches only a shipped library") {
    auto profile = test::profile("grants: {'shipped:http_*': [network]}");
    CHECK(profile->granted(spec("http_request", kAll), true, {}).network);
    CHECK_FALSE(profile->granted(spec("http_request", kAll), false, {}).network);
    CHECK_FALSE(profile->granted(spec("git", kAll), true, {}).network);
}

TEST_CASE("lists of one key are joined along extends, and each entry keeps its position") {
    test::TempFolder folder;
    folder.write("base.yml", "grants:\n  a: [network]\n  b: [exec]\nenvironment: [LANG, A]\n");
    folder.write("child.yml",
                 "extends: base\ngrants:\n  a: [write, network]\nenvironment: [B, LANG]\n");
    auto profile = *load_profile("child", folder.path());
    CHECK(profile->merged()["grants"] == Json{{"a", {"network", "write"}}, {"b", {"exec"}}});
    CHECK(profile->origin("/grants/a/0") == folder / "base.yml:2:7");
    CHECK(profile->origin("/grants/a/1") == folder / "child.yml:3:7");
    REQUIRE(profile->grants().size() == 3);
    CHECK(profile->grants()[1].place.text() == folder / "child.yml:3:7");
    CHECK(profile->environment() == Words{"LANG", "A", "B"});
    CHECK(profile->origin("/environment/2") == folder / "child.yml:4:15");
}

TEST_CASE("none revokes the inherited grants of one key only") {
    const auto with = [](const char* grants) {
        return test::profile(std::string("name: p\nextends: default\ngrants: ") + grants);
    };
    const auto git = test::spec("git", {{"needs", {{"write", true}, {"network", true}}}});
    const std::vector<Grant> users;
    CHECK(with("{}")->granted(git, true, users).missing.empty());
    CHECK(with("{'shipped:git': [none]}")->granted(git, true, users).missing.size() == 2);
    CHECK(with("{'shipped:git': [none, network]}")->granted(git, true, users).network);
    CHECK_FALSE(with("{'shipped:git': [none, network]}")->granted(git, true, users).write);
    CHECK(with("{'shipped:shell': [none]}")->granted(git, true, users).write);
}

TEST_CASE("an invalid grant is refused with its position and the allowed ones") {
    struct Row {
        std::string yaml, message;
    };
    for (const auto& [yaml, message] :
         {Row{"grants:\n  a: [netwrok]",
              "p.yml:2:7: 'netwrok' is not a grant; did you mean 'network'? allowed: network, "
              "exec, "
              "write, write=PATH"},
          Row{"grants: {a: [read]}", "p.yml:1:14: 'read' is not a grant; allowed: network, exec, "},
          Row{"grants: {a: [write=]}", "p.yml:1:14: write= requires a path; write without a path "},
          Row{"grants: {a: [write=~/x]}",
              "p.yml:1:14: '~/x' is not a valid path: ~ is not expanded"},
          Row{"grants: {a: network}", "p.yml:1:13: /grants/a: must be an array"},
          Row{"grants: [a]", "p.yml:1:9: /grants: must be an object"},
          Row{"grants: {a: [5]}", "p.yml:1:14: /grants/a/0: must be a string"},
          Row{"grants:\n  'a[': [exec]",
              "p.yml:2:3: 'a[' is not a tool pattern: it has an unmatched ["},
          Row{"grants: {'shipped:': [exec]}", "p.yml:1:10: 'shipped:' is not a tool pattern: "},
          Row{"grant: {a: [exec]}", "p.yml:1:1: unknown key 'grant'; did you mean 'grants'?"},
          Row{"userGrants: ask", "p.yml:1:13: /userGrants: must be a boolean"}}) {
        const auto& shown_yaml = yaml;
        CAPTURE(shown_yaml);
        CHECK(test::refusal(yaml).substr(0, message.size()) == message);
    }
    CHECK_THROWS_WITH_AS(
        config("grants: {a: [exce]}"),
        doctest::Contains("config.yml:1:14: 'exce' is not a grant; did you mean 'ex"),
        std::runtime_error);
}

TEST_CASE("environment and workers are read and refused like the rest") {
    auto built_in = test::profile("name: p");
    CHECK(built_in->environment().empty());
    CHECK(built_in->workers().idle_seconds == 300);
    CHECK(built_in->workers().max_crashes == 5);
    CHECK(built_in->workers().crash_window_seconds == 60);
    CHECK(built_in->workers().grace_ms == 1000);
    CHECK(built_in->origin("/workers/graceMs") == "");
    auto profile = test::profile(
        "workers: {idleSeconds: 1, maxCrashes: 2, crashWindowSeconds: 3, graceMs: 0}");
    CHECK(profile->workers().idle_seconds == 1);
    CHECK(profile->workers().max_crashes == 2);
    CHECK(profile->workers().crash_window_seconds == 3);
    CHECK(profile->workers().grace_ms == 0);
    CHECK(test::refusal("workers: {idleSeconds: 0}")
              .starts_with("p.yml:1:24: /workers/idleSeconds: must be at least 1"));
    CHECK(test::refusal("workers: {idleseconds: 5}").find("did you mean 'idleSeconds'?") !=
          std::string::npos);
    for (const char* name : {"1A", "A-B", "A=B", "''", "A B"})
        CHECK(test::refusal("environment: [" + std::string(name) + "]")
                  .starts_with("p.yml:1:15: /environment/0: "));
}

TEST_CASE("which tools a tool may call is granted by name, or all that it declares") {
    const auto caller = spec("caller", {{"needs", {{"tools", {"http_request", "git"}}}}});
    const auto http = spec("http_request"), git = spec("git");
    auto granted = [&](const char* grants) {
        return test::profile(std::string("grants: {caller: ") + grants + "}")
            ->granted(caller, false, {});
    };
    CHECK_FALSE(granted("[network]").may_call(http, true));
    CHECK(granted("[tools]").may_call(http, false));
    CHECK(granted("[tools=http_request]").may_call(http, false));
    CHECK(granted("['tools=native:*.http-*']").may_call(http, false));
    CHECK_FALSE(granted("[tools=http_request]").may_call(git, false));
    CHECK(granted("['tools=shipped:git']").may_call(git, true));
    CHECK_FALSE(granted("['tools=shipped:git']").may_call(git, false));
    // A call is refused when it is made, not before the tool runs.
    CHECK(granted("[network]").missing.empty());

    CHECK(GrantWord::parse("tools=git")->text() == "tools=git");
    CHECK(GrantWord::parse("tools")->text() == "tools");
    CHECK_FALSE(GrantWord::parse("tools="));
    CHECK_FALSE(GrantWord::parse("tools=no such"));
    CHECK(GrantWord::parse("tool").error().find("tools") != std::string::npos);
}

TEST_CASE("inheritGrants: false drops all inherited grants, present and future") {
    test::TempFolder folder;
    // A future grant of `default`, to any tool.
    folder.write("parent.yml",
                 "extends: default\ngrants: {'*': [network, exec, write], added_later: [exec]}\n");
    folder.write("closed.yml", "extends: parent\ninheritGrants: false\n");
    folder.write("child.yml", "extends: closed\ngrants: {git: [network]}\n");
    folder.write("again.yml", "extends: closed\ninheritGrants: true\n");
    const auto loaded = [&](const char* name) {
        auto profile = load_profile(name, folder.path());
        REQUIRE_MESSAGE(profile, name);
        return *profile;
    };
    const Json all{{"needs", {{"network", true}, {"exec", true}, {"write", true}}}};
    for (const char* tool : {"git", "shell", "added_later", "any"}) {
        CAPTURE(tool);
        CHECK(loaded("parent")->granted(spec(tool, all), true, {}).missing.empty());
        CHECK(loaded("closed")->granted(spec(tool, all), true, {}).missing.size() == 3);
        CHECK(loaded("again")->granted(spec(tool, all), true, {}).missing.size() == 3);
    }
    CHECK(loaded("closed")->grants().empty());
    CHECK(loaded("child")->grants().size() == 1);
    CHECK(loaded("child")->granted(spec("git", all), true, {}).network);
    // It applies to one document only.
    CHECK_FALSE(loaded("child")->merged().contains("inheritGrants"));
}

TEST_CASE("each kind of grant has one row, and its words are read back") {
    for (const auto& row : grant_table()) {
        const std::string name(row.name);
        CAPTURE(name);
        CHECK(&info(row.kind) == &row);
        REQUIRE(GrantWord::parse(name));
        CHECK(GrantWord::parse(name)->kind == row.kind);
        CHECK(GrantWord::parse(name)->text() == name);
        const auto narrowed = GrantWord::parse(name + "=x");
        REQUIRE(narrowed.has_value() == (row.value != nullptr));
        CHECK_FALSE(GrantWord::parse(name + '='));
        if (!narrowed) continue;
        CHECK((*narrowed).*row.value == "x");
        CHECK(narrowed->text() == name + "=x");
    }
    CHECK(grant_words() == "network, exec, write, write=PATH, tools, tools=NAME");
}
