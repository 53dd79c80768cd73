// stage, unstage, commit, checkout, stash: their effects and refusals.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

std::string porcelain(const Workspace& world) {
    return world.sh("git status --porcelain=v1");
}

TEST_CASE("stage and unstage: named files, folders, patterns, everything") {
    const Workspace world;
    world.begin();
    world.write("a.txt", "changed\n");
    world.write("src/new.txt", "new\n");
    world.write("src/odd [1].txt", "odd\n");
    world.write(".gitignore", "*.o\n");
    world.write("x.o", "ignored");
    world.sh("rm src/b.txt");
    CHECK(world.ask({.action = "stage", .paths = {{"a.txt"}}}).details["stage"]["file_count"] == 1);
    CHECK(has(porcelain(world), "M  a.txt\n"));
    CHECK(world.ask({.action = "stage", .paths = {{"src"}}}).details["stage"]["file_count"] == 3);
    CHECK(has(porcelain(world), "D  src/b.txt\n"));
    CHECK(world.ask({.action = "stage", .paths = {{"a.txt"}}}).details["stage"]["file_count"] == 0);
    CHECK(world.ask({.action = "unstage", .paths = {{"src"}}}).details["unstage"]["file_count"] ==
          3);
    CHECK(has(porcelain(world), " D src/b.txt\n"));
    world.ask({.action = "stage", .all = true});
    CHECK_FALSE(has(porcelain(world), "??"));
    CHECK_FALSE(has(porcelain(world), "x.o"));
    world.ask({.action = "unstage", .all = true});
    CHECK_FALSE(has(porcelain(world), "A  "));
    world.ask({.action = "stage", .paths = {{"*.txt"}}});
    CHECK(has(porcelain(world), "?? .gitignore"));
    CHECK(has(world.refusal({.action = "stage"}), "input paths"));
    CHECK(
        has(world.refusal({.action = "stage", .paths = {{"a.txt"}}, .all = true}), "input paths"));
    CHECK(has(world.refusal({.action = "unstage"}), "input paths"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"nothing.txt"}}}), "failed: no file"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"x.o"}}}), "is ignored"));
    auto policy = open_policy();
    policy.max_files = 1;
    const auto before = porcelain(world);
    CHECK(has(world.refusal({.action = "unstage", .all = true}, policy),
              "too_many_files: unstage would touch"));
    world.write("one", "1");
    world.write("two", "2");
    CHECK(has(world.refusal({.action = "stage", .all = true}, policy),
              "too_many_files: stage would touch"));
    CHECK(
        has(world.refusal({.action = "commit", .message = "x"}, policy), "too_many_files: commit"));
}

TEST_CASE("stage all: files that became folders, folders that became files, repositories inside") {
    const Workspace world;
    world.begin();
    world.sh(
        "rm a.txt; mkdir a.txt; echo x > a.txt/x; rm -r src; echo y > src; "
        "git init -q nested; echo z > nested/z; git init -q -b main made; cd made; "
        "echo q > q; git add q; git commit -q -m Inner");
    const auto staged = world.ask({.action = "stage", .all = true});
    CHECK(has(staged.text, "[made/ is a separate repository and was skipped]\n"));
    CHECK(has(staged.text, "[nested/ is a separate repository and was skipped]\n"));
    CHECK(world.sh("git status --porcelain --no-renames") ==
          "D  a.txt\nA  a.txt/x\nA  src\nD  src/b.txt\n?? made/\n?? nested/\n");
    CHECK(staged.details["stage"]["file_count"] == 4);
    CHECK(
        has(world.refusal({.action = "stage", .paths = {{"nested"}}}), "is a separate repository"));
    world.write("more.txt", "more\n");
    CHECK(has(world.ask({.action = "stage", .paths = {{"*"}}}).text, "was skipped"));
    world.ask({.action = "commit", .message = "Turned around"});
    CHECK(world.sh("git ls-files") == "a.txt/x\nmore.txt\npicture.bin\nsrc\n");
}

TEST_CASE("commit: staged files, author and branch") {
    const Workspace world;
    world.sh("git init -q -b main");
    world.write("a.txt", "a\n");
    CHECK(has(world.refusal({.action = "commit", .message = "x"}), "failed: nothing is staged"));
    world.ask({.action = "stage", .all = true});
    world.ask({.action = "unstage", .all = true});  // also before the first commit
    CHECK(porcelain(world) == "?? a.txt\n");
    world.ask({.action = "stage", .all = true});
    // Hooks are never run.
    world.sh(
        "printf '#!/bin/sh\\ntouch ../hooked; exit 1\\n' > .git/hooks/pre-commit; "
        "chmod +x .git/hooks/pre-commit; cp .git/hooks/pre-commit .git/hooks/post-commit");
    const auto first = world.ask({.action = "commit", .message = "  Root\n\n\nbody  \n\n"});
    CHECK_FALSE(fs::exists(world.root() / "hooked"));
    CHECK(first.details["head"] == first.details["commit"]["id"]);
    CHECK(world.sh("git log -1 --format='%an %ae|%cn|%B'") ==
          "Tool tool@example.com|Tool|  Root\n\nbody\n\n");
    world.ask({.action = "commit",
               .allow_empty = true,
               .message = "Empty",
               .author_name = "Eve",
               .author_email = "eve@example.com"});
    CHECK(world.sh("git log -1 --format='%an|%cn|%P'") ==
          "Eve|Tool|" + first.details["head"].get<std::string>() + "\n");
    CHECK(has(world.refusal({.action = "commit", .message = " \n"}), "input message"));
    CHECK(has(world.refusal(
                  {.action = "commit", .allow_empty = true, .message = "x", .author_name = "Eve"}),
              "input author_email"));
    auto policy = open_policy();
    policy.managed_branch_prefix = "bot/";
    CHECK(has(world.refusal({.action = "commit", .allow_empty = true, .message = "x"}, policy),
              "branch_prefix_required: commit"));
    world.sh("git checkout -q --detach");
    CHECK(has(world.refusal({.action = "commit", .allow_empty = true, .message = "x"}, policy),
              "detached HEAD"));
    world.sh("git checkout -q -b bot/work");
    CHECK(has(world.refusal({.action = "commit", .allow_empty = true, .message = "x"}, policy),
              "answered: [bot/work "));
    policy.user_name = "";
    CHECK(has(world.refusal({.action = "commit", .allow_empty = true, .message = "x"}, policy),
              "failed: no committer configured"));
    world.sh("git config user.name Conf; git config user.email conf@example.com");
    world.ask({.action = "commit", .allow_empty = true, .message = "x"}, policy);
    CHECK(world.sh("git log -1 --format=%an") == "Conf\n");
}

TEST_CASE("commit: completes a merge with both parents") {
    const Workspace world;
    world.begin();
    world.sh(
        "git checkout -q -b side; echo side > a.txt; git commit -qam Side; git checkout -q main; "
        "echo main > a.txt; git commit -qam Main; git merge -q side || true");
    CHECK(has(world.refusal({.action = "commit", .message = "x"}), "in conflict"));
    world.write("a.txt", "both\n");
    world.ask({.action = "stage", .paths = {{"a.txt"}}});
    world.ask({.action = "commit", .message = "Merged"});
    CHECK(world.sh("git rev-parse HEAD^2") == world.sh("git rev-parse side"));
    CHECK(world.ask({.action = "status"}).details["status"]["state"] == "clean");
    world.sh(
        "git checkout -q side; git rebase -q main >/dev/null 2>&1 || true; "
        "git commit -q --allow-empty -m more; git cherry-pick main~1 >/dev/null 2>&1 || true; git "
        "add -A");
    if (fs::exists(world.repo() / ".git/CHERRY_PICK_HEAD"))
        CHECK(has(world.refusal({.action = "commit", .message = "x"}),
                  "another operation is in progress"));
}

TEST_CASE("checkout: branches, commits, files") {
    const Workspace world;
    world.begin();
    world.sh(
        "git tag v1; git checkout -q -b topic; echo topic > a.txt; git commit -qam Topic; git "
        "checkout -q main");
    const auto moved = world.ask({.action = "checkout", .branch = "topic"});
    CHECK(moved.details["branch"] == "topic");
    CHECK(read(world.repo() / "a.txt") == "topic\n");
    CHECK(porcelain(world).empty());
    CHECK(world.ask({.action = "checkout", .ref = "v1"}).details["checkout"]["detached"] == true);
    CHECK(porcelain(world).empty());
    world.ask({.action = "checkout", .ref = "topic", .paths = {{"a.txt"}}});
    CHECK(porcelain(world) == "M  a.txt\n");
    CHECK(has(world.refusal({.action = "checkout", .branch = "main"}), "dirty_worktree: checkout"));
    CHECK(has(world.refusal({.action = "checkout", .paths = {{"a.txt"}}}),
              "dirty_worktree: restoring"));
    world.sh("git reset -q --hard; rm a.txt");
    CHECK(
        world.ask({.action = "checkout", .paths = {{"a.txt"}}}).details["checkout"]["file_count"] ==
        1);
    CHECK(porcelain(world).empty());
    world.write("a.txt", "mine\n");
    auto policy = open_policy();
    policy.allow_worktree_dirty = true;
    const auto conflict = world.refusal({.action = "checkout", .branch = "topic"}, policy);
    CHECK(has(conflict, "failed: cannot check out"));
    CHECK(has(conflict, "a.txt"));
    CHECK(read(world.repo() / "a.txt") == "mine\n");
    world.ask({.action = "checkout", .paths = {{"a.txt"}}}, policy);
    CHECK(porcelain(world).empty());
    CHECK(has(world.refusal({.action = "checkout"}), "input branch"));
    CHECK(
        has(world.refusal({.action = "checkout", .ref = "v1", .branch = "topic"}), "input branch"));
    CHECK(has(world.refusal({.action = "checkout", .branch = "nothing"}), "failed: no branch"));
    policy.managed_branch_prefix = "bot/";
    for (const Request& request : {Request{.action = "checkout", .branch = "topic"},
                                   Request{.action = "checkout", .ref = "v1"},
                                   Request{.action = "checkout", .paths = {{"a.txt"}}}})
        CHECK(has(world.refusal(request, policy), "branch_prefix_required: checkout"));
    policy = open_policy();
    world.sh(
        "git checkout -q topic; for i in 1 2 3; do echo > f$i; done; git add -A; git commit -qm "
        "Three; git checkout -q main");
    policy.max_files = 2;
    CHECK(has(world.refusal({.action = "checkout", .branch = "topic"}, policy),
              "too_many_files: checkout"));
}

TEST_CASE("stash: save, list, apply, pop, drop") {
    const Workspace world;
    world.begin();
    CHECK(has(world.refusal({.action = "stash"}), "failed: nothing to stash"));
    CHECK(world.ask({.action = "stash", .operation = "list"}).text == "no stashes\n");
    world.write("a.txt", "stashed\n");
    world.write("new.txt", "untracked\n");
    const auto saved = world.ask({.action = "stash", .message = "Work"}).details["stash"];
    CHECK(saved["stashes"][0]["message"] == "On main: Work");
    CHECK(porcelain(world) == "?? new.txt\n");
    CHECK(
        has(world.ask({.action = "stash", .operation = "list"}).text, "stash@{0}: On main: Work"));
    world.ask({.action = "stash", .operation = "apply"});
    CHECK(read(world.repo() / "a.txt") == "stashed\n");
    CHECK(has(world.refusal({.action = "stash", .operation = "pop"}), "dirty_worktree: stash pop"));
    world.sh("git checkout -q a.txt");
    CHECK(world.ask({.action = "stash", .operation = "pop"}).details["stash"]["stashes"].empty());
    CHECK(read(world.repo() / "a.txt") == "stashed\n");
    world.ask({.action = "stash", .include_untracked = true});
    CHECK(porcelain(world).empty());
    CHECK(world.ask({.action = "stash", .operation = "drop"}).details["stash"]["stashes"].empty());
    for (const char* operation : {"apply", "pop", "drop"})
        CHECK(has(world.refusal({.action = "stash", .index = 3, .operation = operation}),
                  "failed: no stash 3"));
    CHECK(has(world.refusal({.action = "stash", .message = "x", .operation = "pop"}),
              "input message"));
    auto policy = open_policy();
    policy.max_files = 1;
    world.write("a.txt", "1");
    world.write("src/b.txt", "2");
    CHECK(has(world.refusal({.action = "stash"}, policy), "too_many_files: stash"));
}

TEST_CASE("a bare repository has no working tree") {
    const Workspace world;
    world.begin();
    world.sh("git clone -q --bare . ../bare.git");
    for (const char* action : {"status", "stage", "checkout", "stash"})
        CHECK(has(world.refusal({.action = action, .repo_path = "bare.git"}),
                  "requires a working tree"));
    CHECK(world.ask({.action = "log", .repo_path = "bare.git"}).details["log"]["commits"].size() ==
          1);
}

}  // namespace
}  // namespace git::test
