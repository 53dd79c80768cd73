// Rules of all calls: actions, fields, refs, limits, names.
#include <doctest/doctest.h>

#include "actions/text.hpp"
#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

std::string field_refusal(const std::string& action, std::vector<std::string> given) {
    try {
        check_fields(action_named(action), given);
        return "";
    } catch (const Misuse& misuse) {
        return misuse.field + ": " + misuse.message;
    }
}

TEST_CASE("fields: each action accepts its own, and names them") {
    CHECK(field_refusal("status", {"action", "repo_path", "paths"}).empty());
    CHECK(has(field_refusal("status", {"action", "message"}),
              "message: action status does not accept message; it accepts paths"));
    CHECK(has(field_refusal("blame", {"action"}), "path: is required by action blame"));
    CHECK(has(field_refusal("commit", {"action"}), "message: is required"));
    CHECK(has(field_refusal("tag", {"action"}), "name: is required"));
    CHECK(has(field_refusal("create_branch", {"action"}), "branch: is required"));
    for (const auto& action : actions()) {
        std::vector<std::string> all = words_of(action.fields);
        CHECK(field_refusal(std::string(action.name), all).empty());
        all.emplace_back("no_such_field");
        CHECK_FALSE(field_refusal(std::string(action.name), all).empty());
    }
    CHECK(has(field_refusal("gc", {}), "action: unknown action 'gc'"));
}

TEST_CASE("an action that the policy does not list is denied") {
    const Workspace world;
    world.begin();
    for (const auto& action : actions()) {
        auto policy = open_policy();
        std::erase(policy.allowed_actions, action.name);
        const auto said = world.refusal({.action = std::string(action.name)}, policy);
        CAPTURE(said);
        CHECK(has(said, "action_not_allowed: the policy does not allow action "));
    }
    auto policy = open_policy();
    policy.allow_push = false;
    CHECK(has(world.refusal({.action = "push"}, policy), "push_not_allowed"));
}

TEST_CASE("refs: malformed ones are denied, unknown ones fail") {
    const Workspace world;
    world.begin();
    for (const char* bad : {"", "-x", "--output=x", "a b", "a\nb", ":/First", "HEAD^{/First}", "*",
                            "a?b", "a\\b", "~1", "^main", ":a.txt"}) {
        CAPTURE(std::string(bad));
        CHECK(has(world.refusal({.action = "show", .ref = bad}), "invalid_ref: "));
    }
    CHECK(has(world.refusal({.action = "show", .ref = "HEAD..main"}), "is a range"));
    CHECK(has(world.refusal({.action = "show", .ref = "nothing"}),
              "failed: no branch, tag or commit 'nothing'"));
    CHECK(has(world.refusal({.action = "show", .ref = "HEAD~99"}), "failed: "));
    CHECK(has(world.refusal({.action = "show", .ref = "HEAD@{bogus"}), ": "));
    CHECK(has(world.refusal({.action = "log", .ref = "HEAD:a.txt"}),
              "failed: 'HEAD:a.txt' is not a commit"));
}

TEST_CASE("refs: patterns allow and deny, also for hashes") {
    const Workspace world;
    world.begin();
    world.sh(
        "git checkout -q -b secret/plan; git commit -q --allow-empty -m Hidden; git tag hidden; "
        "git checkout -q main; git branch public; git branch -q -u secret/plan");
    auto hash = world.sh("git rev-parse secret/plan");
    hash.pop_back();
    auto policy = open_policy();
    policy.denied_refs = {"secret/*", "hidden"};
    const auto denied = [&](const std::string& ref) {
        return has(world.refusal({.action = "show", .ref = ref}, policy), "invalid_ref: ");
    };
    CHECK(denied("secret/plan"));
    CHECK(denied("refs/heads/secret/plan"));
    CHECK(denied("secret/plan~0"));
    CHECK(denied("hidden"));
    CHECK(denied(hash));
    CHECK(denied(hash.substr(0, 10)));
    CHECK(denied(hash + "^0"));
    CHECK(denied("main@{u}"));
    CHECK(denied("@{u}"));
    CHECK_FALSE(denied("main"));
    CHECK_FALSE(denied("HEAD"));
    CHECK_FALSE(denied(hash + "~1"));  // also on main
    CHECK(has(world.refusal({.action = "log", .ref = "main..secret/plan"}, policy), "invalid_ref"));
    CHECK(has(world.refusal({.action = "diff", .ref = "secret/plan"}, policy), "invalid_ref"));
    CHECK(
        has(world.refusal({.action = "checkout", .branch = "secret/plan"}, policy), "invalid_ref"));
    CHECK(has(world.refusal({.action = "create_branch", .branch = "secret/new"}, policy),
              "invalid_ref"));
    CHECK_FALSE(has(world.ask({.action = "branches"}, policy).text, "secret"));
    CHECK_FALSE(has(world.ask({.action = "tags"}, policy).text, "hidden"));
    policy = open_policy();
    policy.allowed_refs = {"public"};
    CHECK(denied("main"));
    CHECK(denied("HEAD"));
    CHECK_FALSE(denied("public"));
}

TEST_CASE("max_output_chars: text and lists are cut, and both are marked") {
    const Workspace world;
    world.begin();
    for (int i = 0; i < 60; ++i)
        world.write("file" + std::to_string(i) + ".txt", std::string(200, 'x') + "\n");
    world.commit_all("Many");
    auto policy = open_policy();
    policy.max_output_chars = 1000;
    for (const char* action : {"show", "files"}) {
        const auto answer = world.ask({.action = action}, policy);
        CHECK(answer.details["truncated"] == true);
        CHECK(answer.details[action].dump().size() <= 500);
        CHECK(answer.text.size() + answer.details[action].dump().size() < 1150);
        CHECK(answer.details[action]["file_count"].get<int>() >= 60);
    }
    CHECK(has(world.ask({.action = "show"}, policy).text, "more bytes omitted"));
    policy = open_policy();
    policy.max_files = 5;
    for (const char* action : {"show", "files"}) {
        const auto answer = world.ask({.action = action}, policy);
        CHECK(answer.details["truncated"] == true);
        CHECK(answer.details[action]["files"].size() == 5);
        CHECK(has(answer.text, "more files omitted (max_files)"));
    }
}

TEST_CASE("names and times are formatted as in git") {
    CHECK(shown_path("plain/na me.txt") == "plain/na me.txt");
    CHECK(shown_path("\xC3\xA9") == "\xC3\xA9");
    CHECK(shown_path("\xE9") == "\"\\351\"");
    CHECK(shown_path("a\tb\"\\\x01") == "\"a\\tb\\\"\\\\\\001\"");
    CHECK(shown_path("\xE2\x82") == "\"\\342\\202\"");
    CHECK(shown_time({1768480496, 60, '+'}) == "Thu Jan 15 13:34:56 2026 +0100");
    CHECK(shown_time({1767607200, -330, '-'}) == "Mon Jan 5 04:30:00 2026 -0530");
    CHECK(iso_time({1768480496, -330, '-'}) == "2026-01-15T07:04:56-05:30");
}

}  // namespace
}  // namespace git::test
