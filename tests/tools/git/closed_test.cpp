// What holds where the tool's own checks would not: the kernel; and calls that are cancelled.
#include <doctest/doctest.h>

#include "tests/integration/live_run.hpp"
#include "tests/tools/git/git_stage.hpp"

namespace toolhost::test {
namespace {

TEST_CASE("a policy that is wide open writes nothing where the sandbox grants nothing") {
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

// The one way out that the tool's checks leave open, an object that is a link, ends at the kernel.
TEST_CASE("an object that links out of the workspace is read in no closed worker") {
    const GitStage git;
    const auto outside = git.stage().root() / "outside";
    git.sh("cp -r .git '" + outside.string() +
           "'; rm -rf .git/objects/??; cd .git/objects; for d in '" + outside.string() +
           "'/objects/??; do n=${d##*/}; mkdir $n; for o in $d/*; do ln -s $o $n/; done; done");
    CHECK(git.sh("git log --format=%s") == "First\n");
    const auto closed = git.call({{{"action", "log"}}}, {});
    CHECK(outcome_of(closed[0]) == "tool_failed");
}

TEST_CASE("a long call is cancelled: by Ctrl-C, soon") {
    const GitStage git;
    // Every commit's tree is compared, for a pattern that matches nothing.
    std::string stream;
    for (int i = 1; i <= 4000; ++i) {
        const auto text = std::to_string(i);
        stream += "commit refs/heads/long\ncommitter C <c@example.com> " +
                  std::to_string(1700000000 + i) + " +0000\ndata 1\nx\nM 100644 inline f" +
                  std::to_string(i % 600) + "\ndata " + std::to_string(text.size()) + '\n' + text +
                  '\n';
    }
    write_file(git.workspace() / "stream", stream);
    git.sh("git fast-import --quiet --depth=5 < ../stream");
    auto options = GitStage::options();
    LiveRun run(git.stage(),
                git.with_plugins({"call", "git", "action=log", "ref=long", "path=none*",
                                  "repo_path=repo", "--profile", git.write_profile({}).string()}),
                options);
    REQUIRE(run.await("objects read"));
    const auto start = std::chrono::steady_clock::now();
    run.type("\x03");
    CHECK(run.exit_code() != 0);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
    CHECK(contains(run.shown(), "cancelled"));
}

}  // namespace
}  // namespace toolhost::test
