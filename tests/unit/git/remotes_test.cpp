// fetch and push, with repositories in the workspace as remotes.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

void make_remote(const Workspace& world, const std::string& url) {
    world.begin();
    world.sh("git clone -q --bare . ../up.git; git remote add origin " + url);
}

TEST_CASE("fetch: a path, a relative path, file://") {
    const Workspace world;
    std::string url;
    SUBCASE("relative") {
        url = "../up.git";
    }
    SUBCASE("absolute") {
        url = (world.root() / "up.git").string();
    }
    SUBCASE("file://") {
        url = "file://" + (world.root() / "up.git").string();
    }
    make_remote(world, url);
    const auto first = world.ask({.action = "fetch"}).details["fetch"];
    CHECK(first["updated"][0]["ref"] == "refs/remotes/origin/main");
    CHECK(world.sh("git rev-parse origin/main") == world.sh("git rev-parse main"));
    CHECK(world.ask({.action = "fetch"}).details["fetch"]["updated"].empty());
    world.sh(
        "git clone -q ../up.git ../other; cd ../other; git commit -q --allow-empty -m Theirs; "
        "git push -q; git push -q origin HEAD:refs/heads/second");
    const auto one = world.ask({.action = "fetch", .branch = "main"});
    CHECK(one.details["fetch"]["updated"].size() == 1);
    CHECK(has(one.text, ".."));
    CHECK(world.ask({.action = "fetch"}).details["fetch"]["updated"].size() == 1);
}

TEST_CASE("fetch: the repository's own refspecs are ignored") {
    const Workspace world;
    make_remote(world, "../up.git");
    world.sh(
        "git config remote.origin.fetch '+refs/heads/*:refs/heads/*'; "
        "git --git-dir ../up.git update-ref refs/heads/injected refs/heads/main");
    world.ask({.action = "fetch"});
    CHECK(world.sh("git branch --list injected").empty());
    CHECK(world.sh("git branch -r --list origin/injected") == "  origin/injected\n");
}

TEST_CASE("push: a branch, without force and hooks") {
    const Workspace world;
    make_remote(world, "../up.git");
    world.sh(
        "printf '#!/bin/sh\\ntouch ../hooked\\n' > ../up.git/hooks/pre-receive; "
        "chmod +x ../up.git/hooks/pre-receive; cp ../up.git/hooks/pre-receive .git/hooks/pre-push; "
        "git commit -q --allow-empty -m Second");
    const auto pushed = world.ask({.action = "push"}).details["push"];
    CHECK(pushed["ref"] == "refs/heads/main");
    CHECK(world.sh("git --git-dir ../up.git rev-parse main") == world.sh("git rev-parse main"));
    CHECK(world.sh("git rev-parse origin/main") == world.sh("git rev-parse main"));
    CHECK_FALSE(fs::exists(world.root() / "hooked"));
    world.sh("git commit -q --amend --allow-empty -m Rewritten");
    CHECK(has(world.refusal({.action = "push"}), "force push is not supported"));
    world.sh("git branch bot/x");
    auto policy = open_policy();
    policy.managed_branch_prefix = "bot/";
    CHECK(has(world.refusal({.action = "push"}, policy), "branch_prefix_required: push"));
    CHECK(has(world.refusal({.action = "push", .branch = "bot/x"}, policy),
              "answered: pushed bot/x"));
    CHECK(has(world.refusal({.action = "push", .branch = "nothing"}), "failed: no branch"));
    CHECK(has(world.refusal({.action = "push", .branch = "a:b"}), "invalid_ref"));
    world.sh("git checkout -q --detach");
    CHECK(has(world.refusal({.action = "push"}), "input branch"));
}

TEST_CASE("remotes that are not allowed") {
    const Workspace world;
    world.begin();
    world.sh(
        "git init -q --bare ../../outside; git remote add out ../../outside; "
        "git remote add file file://" +
        world.outside().string() +
        "; git remote add ssh ssh://git@127.0.0.2/x; git remote add scp git@127.0.0.2:x; "
        "git remote add http http://127.0.0.2/x; git remote add https https://127.0.0.2/x; "
        "git remote add ext 'ext::sh -c true'; git remote add login https://u:p@ok.example/x; "
        "git remote add trick 'https://ok.example\\@127.0.0.2/x'; git remote add rewritten ok:x; "
        "git config url.https://127.0.0.2/.insteadOf ok:; "
        "git remote add pushes ../up.git; git remote set-url --push pushes ../../outside");
    auto policy = open_policy();
    policy.allowed_hosts = {"ok.example", "*.ok.example"};
    const auto said = [&](const char* remote) {
        return world.refusal({.action = "fetch", .remote = remote}, policy);
    };
    CHECK(has(said("out"), "path_not_allowed"));
    CHECK(has(said("file"), "path_not_allowed"));
    CHECK(has(said("ssh"), "scheme_not_allowed: the remote uses ssh"));
    CHECK(has(said("scp"), "scheme_not_allowed: the remote uses ssh"));
    CHECK(has(said("http"), "scheme_not_allowed: the remote uses http"));
    CHECK(has(said("ext"), "scheme_not_allowed"));
    CHECK(has(said("https"), "host_not_allowed: host '127.0.0.2'"));
    CHECK(has(said("login"), "host_not_allowed"));
    CHECK(has(said("trick"), "host_not_allowed"));
    CHECK(has(said("rewritten"), "host_not_allowed: host '127.0.0.2'"));
    CHECK(has(said("nothing"), "failed: no remote 'nothing'"));
    CHECK(has(said("https://127.0.0.2/x"), "input remote"));
    CHECK(has(world.refusal({.action = "push", .remote = "pushes"}), "path_not_allowed"));
    policy.allowed_remotes = {"origin", "up*"};
    CHECK(has(said("out"), "remote_not_allowed: remote 'out'"));
}

}  // namespace
}  // namespace git::test
