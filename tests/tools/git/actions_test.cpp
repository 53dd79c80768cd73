// Every action through the real program, in a sandboxed worker and in the host's process.
#include <doctest/doctest.h>

#include "tests/tools/git/git_stage.hpp"
#include "tests/tools/reasons.hpp"

namespace toolhost::test {
namespace {

void check_all_succeeded(const std::vector<Json>& results) {
    for (const auto& result : results) {
        CAPTURE(result.dump(2));
        CHECK(outcome_of(result).empty());
        CHECK(result["content"].size() == 2);
    }
}

// The action's object in the JSON block.
Json details_of(const Json& result) {
    const auto& block = result["content"][1]["json"];
    return block[block["action"].get<std::string>()];
}

// Typical work: branch, edit, stage, commit, tag, stash, push, fetch, and reading the results.
void check_all_actions(const std::string& isolation) {
    const GitStage git;
    git.sh("git clone -q --bare . ../up.git; git remote add origin ../up.git");
    write_file(git.repo() / "a.txt", "one\nTWO\n");
    write_file(git.repo() / "new.txt", "new\n");
    const GitProfile terms{.isolation = isolation,
                           .policy = kAllActions +
                                     ", allow_push: true, managed_branch_prefix: bot/, "
                                     "allow_worktree_dirty: true"};
    const auto results = git.call({{{"action", "create_branch"}, {"branch", "bot/x"}},
                                   {{"action", "checkout"}, {"branch", "bot/x"}},
                                   {{"action", "status"}},
                                   {{"action", "stage"}, {"paths", {"a.txt"}}},
                                   {{"action", "diff"}, {"staged", true}},
                                   {{"action", "commit"}, {"message", "Second"}},
                                   {{"action", "stage"}, {"all", true}},
                                   {{"action", "unstage"}, {"all", true}},
                                   {{"action", "stash"}, {"include_untracked", true}},
                                   {{"action", "stash"}, {"operation", "pop"}},
                                   {{"action", "tag"}, {"name", "v1"}, {"message", "Release"}},
                                   {{"action", "push"}},
                                   {{"action", "fetch"}},
                                   {{"action", "log"}},
                                   {{"action", "show"}},
                                   {{"action", "blame"}, {"path", "a.txt"}},
                                   {{"action", "branches"}, {"all", true}},
                                   {{"action", "tags"}},
                                   {{"action", "files"}, {"include_untracked", true}}},
                                  terms);
    check_all_succeeded(results);
    CHECK(details_of(results[2])["unstaged"].size() == 1);
    CHECK(contains(results[4]["content"][0]["text"].get<std::string>(), "-two\n+TWO\n"));
    // Text content is in the JSON too, for clients that pass on only the JSON.
    for (const std::size_t i : {4u, 14u, 15u}) {
        CAPTURE(i);
        CHECK(details_of(results[i])["text"] == results[i]["content"][0]["text"]);
    }
    CHECK(details_of(results[13])["commits"].size() == 2);
    CHECK(results[13]["content"][1]["json"]["branch"] == "bot/x");
    CHECK(details_of(results[18])["untracked"] == Json::array({"new.txt"}));
    CHECK(git.sh("git --git-dir ../up.git log -1 --format='%an %s' bot/x") == "Tool Second\n");
    CHECK(git.sh("git status --porcelain") == "?? new.txt\n");
    git.sh("git fsck --strict");
}

TEST_CASE("typical work in a sandboxed worker") {
    check_all_actions("process");
}

TEST_CASE("typical work in the host's process") {
    check_all_actions("in_process");
}

TEST_CASE("the default profile allows reading only") {
    const GitStage git;
    write_file(git.repo() / "a.txt", "changed\n");
    std::vector<Json> inputs;
    for (const char* action : {"status", "log", "diff", "show", "branches", "tags", "files"})
        inputs.push_back({{"action", action}});
    inputs.push_back({{"action", "blame"}, {"path", "a.txt"}});
    const auto before = fs::last_write_time(git.repo() / ".git/index");
    check_all_succeeded(git.call(inputs, {}));
    // Reading needs no grants.
    check_all_succeeded(git.call(inputs, {.grants = "\"shipped:git\": [none]"}));
    CHECK(fs::last_write_time(git.repo() / ".git/index") == before);
    const auto denied = git.call({{{"action", "checkout"}, {"branch", "x"}},
                                  {{"action", "create_branch"}, {"branch", "x"}},
                                  {{"action", "stage"}, {"all", true}},
                                  {{"action", "unstage"}, {"all", true}},
                                  {{"action", "commit"}, {"message", "x"}},
                                  {{"action", "tag"}, {"name", "x"}},
                                  {{"action", "stash"}},
                                  {{"action", "fetch"}},
                                  {{"action", "push"}}},
                                 {});
    for (const auto& result : denied) CHECK(outcome_of(result) == "action_not_allowed");
}

TEST_CASE("an invalid input names the field and the rule") {
    const GitStage git;
    const auto results = git.call({{{"action", "gc"}},
                                   {{"action", "status"}, {"message", "x"}},
                                   {{"action", "blame"}},
                                   {{"action", "log"}, {"max_count", 0}},
                                   {{"action", "log"}, {"bogus", 1}},
                                   {{"action", "diff"}, {"ref", "a..b"}, {"staged", true}}},
                                  {});
    const char* const fields[] = {"/action", "/message", "/path", "/max_count", "bogus", "/staged"};
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(results[i].dump());
        CHECK(outcome_of(results[i]) == "invalid_input");
        CHECK(contains(message_of(results[i]), fields[i]));
    }
    CHECK(contains(message_of(results[1]), "action status does not accept message"));
}

TEST_CASE("every denial has its reason, in both isolations") {
    const GitStage git;
    git.sh(
        "git checkout -q -b other; git commit -q --allow-empty -m Other; git checkout -q main; "
        "git remote add ssh git@127.0.0.2:x; git remote add https https://127.0.0.2/x; "
        "touch f1 f2 f3; echo dirty > a.txt");
    for (const char* isolation : {"process", "in_process"}) {
        CAPTURE(std::string(isolation));
        const auto reasons = [&](const std::string& limits, const Json& input) {
            return outcome_of(
                git.call({input}, {.isolation = isolation, .policy = kAllActions + limits})[0]);
        };
        const auto results =
            git.call({{{"action", "log"}, {"repo_path", "../.."}},
                      {{"action", "show"}, {"ref", "--x"}},
                      {{"action", "log"}, {"since", "soon"}},
                      {{"action", "checkout"}, {"branch", "other"}},
                      {{"action", "push"}},
                      {{"action", "stage"}, {"all", true}},
                      {{"action", "fetch"}, {"remote", "ssh"}},
                      {{"action", "fetch"}, {"remote", "https"}}},
                     {.isolation = isolation, .policy = kAllActions + ", max_files: 2"});
        const std::vector<std::string> expected{
            "path_not_allowed", "invalid_ref",    "invalid_since_format", "dirty_worktree",
            "push_not_allowed", "too_many_files", "scheme_not_allowed",   "host_not_allowed"};
        for (std::size_t i = 0; i < results.size(); ++i)
            CHECK(outcome_of(results[i]) == expected[i]);
        for (const Json& old : {Json{{"action", "log"}, {"since", "9 days"}},
                                Json{{"action", "checkout"}, {"branch", "other"}}})
            CHECK(reasons(", max_age_days: 5", old) == "since_not_allowed");
        CHECK(reasons(", managed_branch_prefix: bot/",
                      {{"action", "create_branch"}, {"branch", "x"}}) == "branch_prefix_required");
        CHECK(reasons(", allowed_remotes: [origin]", {{"action", "fetch"}, {"remote", "ssh"}}) ==
              "remote_not_allowed");
        const auto named = git.call({{{"action", "status"}}},
                                    {.isolation = isolation, .policy = "allowed_actions: [log]"});
        CHECK(outcome_of(named[0]) == "action_not_allowed");
        std::set<std::string> seen(expected.begin(), expected.end());
        // protected_path: tests/tools/protected.
        seen.insert({"protected_path", "since_not_allowed", "branch_prefix_required",
                     "remote_not_allowed", "action_not_allowed"});
        check_reasons("git", seen);
    }
}

}  // namespace
}  // namespace toolhost::test
