// What the kernel enforces beyond the tool's own checks; and calls that are cancelled.
#include <doctest/doctest.h>

#include "tests/tools/cancel.hpp"
#include "tests/tools/git/git_stage.hpp"

namespace toolhost::test {
namespace {

TEST_CASE("a policy that allows everything writes nothing without grants") {
    const GitStage git;
    write_file(git.repo() / "a.txt", "changed\n");
    const auto results = git.call({{{"action", "stage"}, {"all", true}},
                                   {{"action", "create_branch"}, {"branch", "x"}},
                                   {{"action", "tag"}, {"name", "x"}},
                                   {{"action", "stash"}}},
                                  {.policy = kAllActions, .grants = "\"shipped:git\": [none]"});
    for (const auto& result : results) {
        CAPTURE(result.dump());
        CHECK(outcome_of(result) == "tool_failed");
        CHECK(contains(message_of(result), "write"));
    }
    CHECK(git.sh("git status --porcelain") == " M a.txt\n");
    CHECK(git.sh("git branch").find('x') == std::string::npos);
}

// The tool's checks allow an object that is a link; the kernel refuses it.
TEST_CASE("an object that links out of the workspace is not read in a sandboxed worker") {
    const GitStage git;
    const auto outside = git.stage().root() / "outside";
    git.sh("cp -r .git '" + outside.string() +
           "'; rm -rf .git/objects/??; cd .git/objects; for d in '" + outside.string() +
           "'/objects/??; do n=${d##*/}; mkdir $n; for o in $d/*; do ln -s $o $n/; done; done");
    CHECK(git.sh("git log --format=%s") == "First\n");
    const auto closed = git.call({{{"action", "log"}}}, {});
    CHECK(outcome_of(closed[0]) == "tool_failed");
}

TEST_CASE("a long call is cancelled: by Ctrl-C, within 100 ms") {
    const GitStage git;
    // A folder with ten entries for the same folder, ten levels deep: few objects, and more files
    // than can be listed in hours. So the call is long on any machine.
    git.sh(
        "ten() { for i in 0 1 2 3 4 5 6 7 8 9; do printf \"$1 %s\\tn$i\\n\" $2; done | git mktree; "
        "}; "
        "t=$(ten '100644 blob' $(git rev-parse main:a.txt)); "
        "for depth in 1 2 3 4 5 6 7 8 9 10; do t=$(ten '040000 tree' $t); done; "
        "git branch long $(git commit-tree -m Long $t)");
    const auto profile = git.write_profile({.more = kLongGracePeriod});
    check_cancel(git.stage(),
                 git.with_plugins({"call", "git", "action=files", "ref=long", "path=none*",
                                   "repo_path=repo", "--profile", profile.string()}),
                 "files listed", GitStage::options());
}

}  // namespace
}  // namespace toolhost::test
