// Limits that cannot be bypassed: refs by their remote, files, age, overwritten files.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

TEST_CASE("limits: denied_refs applies to a remote's branches too, and they are not fetched") {
    const Workspace world;
    world.begin();
    world.sh(
        "git branch team/x; git checkout -q -b secret1; git commit -q --allow-empty -m Hidden; "
        "git clone -q --bare . ../up.git; git checkout -q main; git branch -q -D secret1 team/x; "
        "git remote add origin ../up.git");
    auto policy = open_policy();
    policy.denied_refs = {"secret*"};
    const auto fetched = world.ask({.action = "fetch"}, policy).details["fetch"]["updated"];
    CHECK(fetched.size() == 2);
    CHECK(world.sh("git branch -r") == "  origin/main\n  origin/team/x\n");
    CHECK(world.ask({.action = "fetch"}, policy).details["fetch"]["updated"].empty());
    // Created by another user, with a link to it.
    world.sh("git fetch -q; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/secret1");
    auto hash = world.sh("git rev-parse origin/secret1");
    hash.pop_back();
    for (const auto& ref :
         {std::string("origin/secret1"), std::string("refs/remotes/origin/secret1"),
          std::string("origin"), std::string("origin/HEAD"), hash}) {
        CAPTURE(ref);
        CHECK(has(world.refusal({.action = "show", .ref = ref}, policy), "invalid_ref: "));
    }
    CHECK_FALSE(has(world.ask({.action = "branches", .all = true}, policy).text, "secret1 "));
    CHECK(has(world.refusal({.action = "show", .ref = "origin/team/x"}, policy), "answered: "));
    policy = open_policy();
    policy.allowed_refs = {"team/*"};
    CHECK(has(world.refusal({.action = "show", .ref = "origin/team/x"}, policy), "answered: "));
    CHECK(has(world.refusal({.action = "show", .ref = "origin/secret1"}, policy), "invalid_ref: "));
    policy.allowed_refs = {"none"};
    CHECK(world.ask({.action = "fetch"}, policy).details["fetch"]["updated"].empty());
}

TEST_CASE("limits: max_files applies to stashes including untracked files, in both directions") {
    const Workspace world;
    world.begin();
    for (const char* name : {"new/1", "new/2", "new/3"}) world.write(name, "x");
    auto policy = open_policy();
    policy.max_files = 2;
    CHECK(has(world.refusal({.action = "stash", .include_untracked = true}, policy),
              "too_many_files: stash would touch 3 files"));
    CHECK(fs::exists(world.repo() / "new/1"));
    world.ask({.action = "stash", .include_untracked = true});
    for (const char* operation : {"apply", "pop"}) {
        const auto said = world.refusal({.action = "stash", .operation = operation}, policy);
        CAPTURE(said);
        CHECK(has(said, "too_many_files: stash " + std::string(operation) + " would touch 3 "));
    }
    CHECK_FALSE(fs::exists(world.repo() / "new"));
    policy.max_files = 3;
    world.ask({.action = "stash", .operation = "pop"}, policy);
    CHECK(fs::exists(world.repo() / "new/3"));
    // A file that is staged and changed again counts once.
    world.sh("rm -r new; echo 1 > a.txt; git add a.txt; echo 2 > a.txt");
    policy.max_files = 1;
    world.ask({.action = "stash"}, policy);
}

TEST_CASE("limits: a checkout of paths overwrites no untracked file") {
    const Workspace world;
    world.begin();
    world.sh(
        "git checkout -q -b topic; mkdir d; echo t > d/f; echo t > new.txt; git add -A; "
        "git commit -qm Topic; git checkout -q main");
    const auto said = [&](const char* path, const Policy& policy) {
        return world.refusal({.action = "checkout", .ref = "topic", .paths = {{path}}}, policy);
    };
    SUBCASE("a file") {
        world.write("new.txt", "mine");
        CHECK(has(said("new.txt", open_policy()), "dirty_worktree: restoring files"));
        CHECK(has(said(".", open_policy()), "dirty_worktree: restoring files"));
        CHECK(read(world.repo() / "new.txt") == "mine");
        auto policy = open_policy();
        policy.allow_worktree_dirty = true;
        CHECK(has(said("new.txt", policy), "answered: "));
        CHECK(read(world.repo() / "new.txt") == "t\n");
    }
    SUBCASE("an ignored file") {
        world.write("new.txt", "mine");
        world.write(".git/info/exclude", "new.txt");
        CHECK(has(said("new.txt", open_policy()), "dirty_worktree: restoring files"));
    }
    SUBCASE("a file in place of a folder") {
        world.write("d", "mine");
        CHECK(has(said("d/f", open_policy()), "dirty_worktree: restoring files"));
        CHECK(read(world.repo() / "d") == "mine");
    }
    SUBCASE("a folder in place of a file") {
        world.write("new.txt/inner", "mine");
        CHECK(has(said("new.txt", open_policy()), "dirty_worktree: restoring files"));
        CHECK(read(world.repo() / "new.txt/inner") == "mine");
    }
    SUBCASE("the same content, or none") {
        world.write("new.txt", "t\n");
        CHECK(has(said(".", open_policy()), "answered: "));
    }
}

TEST_CASE("limits: max_age_days applies to every name of an older commit except HEAD") {
    const Workspace world;
    world.begin();
    world.sh("git tag old; git tag blob $(git rev-parse HEAD:a.txt)");
    auto policy = open_policy();
    policy.max_age_days = 1;
    const auto said = [&](Request request) { return world.refusal(std::move(request), policy); };
    // HEAD's files are in the working tree anyway.
    for (const char* action : {"status", "diff", "show", "files"})
        CHECK(has(said({.action = action}), "answered: "));
    world.sh("GIT_COMMITTER_DATE=\"$(date +%s) +0000\" git commit -q --allow-empty -m New");
    CHECK(has(said({.action = "show"}), "answered: "));
    for (const std::string ref : {"old", "HEAD~1", "old:a.txt", "blob"}) {
        CAPTURE(ref);
        CHECK(has(said({.action = "show", .ref = ref}), "since_not_allowed: "));
    }
    for (const std::string ref : {"old", "old..HEAD", "HEAD..old", "old...HEAD"}) {
        CAPTURE(ref);
        CHECK(has(said({.action = "diff", .ref = ref}), "since_not_allowed: "));
    }
    CHECK(has(said({.action = "blame", .ref = "old", .path = "a.txt"}), "since_not_allowed: "));
    CHECK(has(said({.action = "files", .ref = "old"}), "since_not_allowed: "));
    CHECK(has(said({.action = "checkout", .ref = "old"}), "since_not_allowed: "));
    CHECK(has(said({.action = "log"}), "New"));
    CHECK_FALSE(has(said({.action = "log"}), "First"));
}

}  // namespace
}  // namespace git::test
