// References of a repository cannot lead out of the workspace.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

// A repository outside with a file that must stay hidden.
void make_outside(const Workspace& world) {
    world.begin();
    world.sh(
        "git init -q -b main ../../outside && cd ../../outside && echo SECRET > secret.txt && "
        "git add -A && git commit -q -m SECRET");
}

bool denied(const Workspace& world, Request request) {
    const auto said = world.refusal(std::move(request));
    CAPTURE(said);
    CHECK_FALSE(has(said, "SECRET"));
    return has(said, "path_not_allowed: ");
}

TEST_CASE("repo_path stays in the workspace") {
    const Workspace world;
    make_outside(world);
    CHECK(denied(world, {.action = "log", .repo_path = "../outside"}));
    CHECK(denied(world, {.action = "log", .repo_path = world.outside().string()}));
    CHECK(denied(world, {.action = "log", .repo_path = "repo/../../outside"}));
    world.sh("ln -s ../outside ../link");
    CHECK(denied(world, {.action = "log", .repo_path = "link"}));
    CHECK(world.ask({.action = "log", .repo_path = "repo/src"}).details["repo_path"] == "repo");
    CHECK(world.ask({.action = "log", .repo_path = world.repo().string()}).details["repo_path"] ==
          "repo");
    // Not the repository that contains the workspace.
    world.sh("git init -q ../..; mkdir ../empty");
    CHECK(has(world.refusal({.action = "log", .repo_path = "empty"}),
              "failed: no git repository at"));
}

TEST_CASE("paths in .git must stay in the workspace") {
    const Workspace world;
    make_outside(world);
    const auto outside = world.outside().string();
    SUBCASE("a .git file") {
        world.sh("rm -r .git; echo 'gitdir: " + outside + "/.git' > .git");
    }
    SUBCASE("a linked .git") {
        world.sh("rm -r .git; ln -s " + outside + "/.git .git");
    }
    SUBCASE("a worktree of a repository outside") {
        world.sh("cd " + outside + " && git worktree add -q -b wt " + world.repo().string() +
                 "2; "
                 "cd " +
                 world.repo().string() + "; rm -rf .git; cp ../repo2/.git .git");
    }
    SUBCASE("commondir") {
        world.sh("echo " + outside + "/.git > .git/commondir");
    }
    SUBCASE("alternates") {
        world.sh("echo " + outside + "/.git/objects > .git/objects/info/alternates");
    }
    SUBCASE("alternates of alternates") {
        world.sh(
            "git clone -q . ../middle; echo ../../../middle/.git/objects > "
            ".git/objects/info/alternates; echo " +
            outside + "/.git/objects > ../middle/.git/objects/info/alternates");
    }
    SUBCASE("core.worktree") {
        world.sh("git config core.worktree " + outside);
    }
    SUBCASE("an included configuration") {
        world.sh("git config include.path " + outside + "/x");
    }
    SUBCASE("a conditional one") {
        world.sh("git config includeIf.gitdir:/.path " + outside + "/.git/config");
    }
    SUBCASE("core.excludesFile") {
        world.sh("git config core.excludesFile " + outside + "/secret.txt");
    }
    SUBCASE("linked objects") {
        world.sh("rm -rf .git/objects; ln -s " + outside + "/.git/objects .git/objects");
    }
    SUBCASE("a linked folder of objects") {
        world.sh("rm -rf .git/objects/pack; ln -s " + outside + "/.git/objects .git/objects/pack");
    }
    SUBCASE("linked refs") {
        world.sh("rm -rf .git/refs/heads; ln -s " + outside + "/.git/refs/heads .git/refs/heads");
    }
    SUBCASE("a linked ref") {
        world.sh("ln -s " + outside + "/.git/refs/heads/main .git/refs/heads/x");
    }
    SUBCASE("a linked index") {
        world.sh("rm .git/index; ln -s " + outside + "/.git/index .git/index");
    }
    CHECK(denied(world, {.action = "log"}));
    CHECK(denied(world, {.action = "status"}));
}

TEST_CASE("the same within the workspace is allowed") {
    const Workspace world;
    world.begin();
    world.sh("git worktree add -q -b wt ../wt; git clone -q --shared . ../shared");
    for (const char* path : {"wt", "shared"})
        CHECK(world.ask({.action = "log", .repo_path = path}).details["repo_path"] == path);
    CHECK(world.ask({.action = "status", .repo_path = "wt"}).details["branch"] == "wt");
}

TEST_CASE("a submodule's .git stays in the workspace") {
    const Workspace world;
    make_outside(world);
    world.sh("git clone -q . ../lib; git submodule -q add ../lib sub; git commit -q -m Sub");
    CHECK_FALSE(denied(world, {.action = "status"}));
    world.sh("echo 'gitdir: " + world.outside().string() + "/.git' > sub/.git");
    CHECK(denied(world, {.action = "status"}));
    CHECK(denied(world, {.action = "diff"}));
    CHECK(denied(world, {.action = "stage", .all = true}));
}

TEST_CASE("paths stay in the repository") {
    const Workspace world;
    make_outside(world);
    world.sh("ln -s ../../outside out; ln -s ../../outside/secret.txt file_link");
    for (const char* path :
         {"../x", "..", "/etc/passwd", "out/secret.txt", ".git/config", "src/../../x"}) {
        CAPTURE(std::string(path));
        for (const char* action : {"stage", "unstage", "checkout", "diff", "log", "files"})
            CHECK(denied(world, {.action = action, .paths = {{path}}}));
        CHECK(denied(world, {.action = "blame", .path = path}));
    }
    // A link is staged as a link, whatever its target.
    CHECK_FALSE(denied(world, {.action = "stage", .paths = {{"out", "file_link"}}}));
    CHECK(world.sh("git show :file_link") == "../../outside/secret.txt");
    CHECK_FALSE(has(world.ask({.action = "diff", .staged = true}).text, "+SECRET"));
}

TEST_CASE("checkout writes through no link") {
    const Workspace world;
    make_outside(world);
    world.sh(
        "git checkout -q -b evil; mkdir out; echo PWNED > out/secret.txt; git add -A; "
        "git commit -q -m Evil; git checkout -q main; ln -s ../../outside out");
    auto policy = open_policy();
    policy.allow_worktree_dirty = true;
    const auto said = world.refusal({.action = "checkout", .branch = "evil"}, policy);
    CAPTURE(said);
    CHECK(read(world.outside() / "secret.txt") == "SECRET\n");
    const auto restored =
        world.refusal({.action = "checkout", .ref = "evil", .paths = {{"*secret.txt"}}}, policy);
    CHECK(has(restored, "path_not_allowed: cannot restore the files"));
    CHECK(read(world.outside() / "secret.txt") == "SECRET\n");
}

}  // namespace
}  // namespace git::test
