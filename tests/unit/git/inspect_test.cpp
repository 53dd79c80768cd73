// status, diff, files and blame, compared with the git command.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

const char* const kStatus = "git status --porcelain=v1 -b";

void check_status(const Workspace& world) {
    const auto expected = world.sh(kStatus);
    const auto before = fs::last_write_time(world.repo() / ".git/index");
    const auto answer = world.ask({.action = "status"});
    CHECK(answer.text == expected);
    CHECK(fs::last_write_time(world.repo() / ".git/index") == before);
}

TEST_CASE("status: every kind of change, the same as git's") {
    const Workspace world;
    world.begin();
    check_status(world);
    CHECK(world.ask({.action = "status"}).details["status"]["clean"] == true);
    world.write("gone.txt", "to be deleted\n");
    world.write("moved.txt", "a file\nwith enough lines\nto be found again\n");
    world.write("link.txt", "a file now\n");
    world.commit_all("More");
    world.write("a.txt", "one\nTWO\nthree\n");
    world.write("new dir/un tracked.txt", "x");
    world.write("\xC3\xA9t\xC3\xA9.txt", "x");
    world.write("odd\tname\n.txt", "x");
    world.write("staged.txt", "s");
    world.sh(
        "rm gone.txt; git mv moved.txt renamed.txt; rm link.txt; ln -s a.txt link.txt; "
        "git add staged.txt; echo more >> staged.txt; echo '*.o' > .gitignore; touch x.o");
    check_status(world);
    const auto details = world.ask({.action = "status"}).details["status"];
    CHECK(details["clean"] == false);
    CHECK(details["staged"][0] ==
          Json{{"path", "renamed.txt"}, {"old_path", "moved.txt"}, {"code", "R"}});
    CHECK(details["unstaged"].size() == 4);
    CHECK(details["untracked"].size() == 4);
    const auto tracked =
        world.ask({.action = "status", .include_untracked = false}).details["status"];
    CHECK(tracked["untracked"].empty());
    CHECK(world.ask({.action = "status", .paths = {{"src"}}}).details["status"]["clean"] == true);
}

TEST_CASE("status: unborn, detached, ahead and behind, upstream gone") {
    const Workspace world;
    world.sh("git init -q -b trunk");
    world.write("a", "a");
    CHECK(world.ask({.action = "status"}).text == world.sh(kStatus));
    const auto unborn = world.ask({.action = "status"}).details;
    CHECK(unborn["branch"] == "trunk");
    CHECK(unborn["head"].is_null());
    world.commit_all("One");
    world.sh(
        "git clone -q --bare . ../up.git; git remote add origin ../up.git; git fetch -q; "
        "git branch -q -u origin/trunk; git commit -q --allow-empty -m Two; "
        "git commit -q --allow-empty -m Three; git clone -q ../up.git ../other; cd ../other; "
        "git commit -q --allow-empty -m Theirs; git push -q; cd ../repo; git fetch -q");
    check_status(world);
    const auto details = world.ask({.action = "status"}).details["status"];
    CHECK(details["ahead"] == 2);
    CHECK(details["behind"] == 1);
    CHECK(details["upstream"] == "origin/trunk");
    world.sh("git update-ref -d refs/remotes/origin/trunk");
    check_status(world);
    world.sh("git checkout -q --detach");
    check_status(world);
    CHECK(world.ask({.action = "status"}).details["branch"].is_null());
}

TEST_CASE("status: conflicts of every kind, and the state") {
    const Workspace world;
    world.begin();
    world.write("both.txt", "base\n");
    world.write("ours_deleted.txt", "base\n");
    world.write("theirs_deleted.txt", "base\n");
    world.commit_all("Base");
    world.sh(
        "git checkout -q -b side; echo side > both.txt; echo side > added.txt; "
        "echo side > ours_deleted.txt; git rm -q theirs_deleted.txt; git add -A; "
        "git commit -q -m Side; git checkout -q main; echo main > both.txt; "
        "echo main > added.txt; echo main > theirs_deleted.txt; git rm -q ours_deleted.txt; "
        "git add -A; git commit -q -m Main; git merge side || true");
    check_status(world);
    const auto details = world.ask({.action = "status"}).details["status"];
    CHECK(details["state"] == "merge");
    CHECK(details["conflicts"].size() == 4);
    CHECK(
        has(world.refusal({.action = "commit", .message = "x"}), "failed: files are in conflict"));
}

TEST_CASE("status: a submodule is listed if its commit changed") {
    const Workspace world;
    world.begin();
    world.sh("git clone -q . ../lib; git submodule -q add ../lib sub; git commit -q -m Sub");
    check_status(world);
    world.sh("cd sub && git commit -q --allow-empty -m moved");
    check_status(world);
    CHECK(world.ask({.action = "status"}).details["status"]["unstaged"][0]["path"] == "sub");
}

TEST_CASE("diff: each pair of sides, the same as git's") {
    const Workspace world;
    world.begin();
    world.sh("git tag v1");
    world.write("long.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    world.commit_all("Second");
    world.write("a.txt", "one\n2\nthree");
    world.write("picture.bin", std::string("\0\1\3", 3));
    world.sh("git mv long.txt renamed.txt; chmod +x src/b.txt; git add src");
    const auto same = [&](Request request, const std::string& command) {
        CAPTURE(command);
        request.action = "diff";
        CHECK(world.ask(request).text == world.sh(command));
    };
    same({}, "git diff");
    same({.staged = true}, "git diff --cached -M");
    same({.ref = "v1"}, "git diff v1 -M");
    same({.ref = "v1", .staged = true}, "git diff --cached v1 -M");
    same({.ref = "v1..HEAD"}, "git diff v1..HEAD");
    same({.ref = "HEAD...v1", .name_only = true},
         "git diff HEAD...v1 --name-only; echo 'no differences'");
    same({.paths = {{"a.txt"}}, .context_lines = 0}, "git diff -U0 -- a.txt");
    same({.name_only = true}, "git diff --name-only");
    const auto details = world.ask({.action = "diff"}).details["diff"];
    CHECK(details["insertions"] == 2);
    CHECK(details["deletions"] == 2);
    CHECK(details["files"][1]["binary"] == true);
    CHECK(has(world.ask({.action = "diff", .stat = true}).text,
              "2 files changed, 2 insertions(+), 2 deletions(-)"));
    CHECK(
        has(world.refusal({.action = "diff", .ref = "v1..HEAD", .staged = true}), "input staged"));
}

TEST_CASE("files: of the index, of a commit, of paths, with untracked ones") {
    const Workspace world;
    world.begin();
    world.write("new.txt", "x");
    CHECK(world.ask({.action = "files"}).text == world.sh("git ls-files"));
    world.sh("git rm -q a.txt");
    CHECK(world.ask({.action = "files"}).text == world.sh("git ls-files"));
    CHECK(world.ask({.action = "files", .ref = "HEAD"}).text ==
          world.sh("git ls-tree -r --name-only HEAD"));
    CHECK(world.ask({.action = "files", .paths = {{"src", "*.bin"}}})
              .details["files"]["file_count"] == 2);
    const auto all = world.ask({.action = "files", .include_untracked = true});
    CHECK(all.details["files"]["untracked"] == Json::array({"new.txt"}));
    CHECK(has(world.refusal({.action = "files", .ref = "HEAD", .include_untracked = true}),
              "input include_untracked"));
}

TEST_CASE("blame: lines and commits, the same as git's") {
    const Workspace world;
    world.begin();
    world.write("a.txt", "one\nTWO\nthree\nfour\n");
    world.commit_all("Change");
    world.sh("git mv a.txt moved.txt");
    world.write("moved.txt", "zero\none\nTWO\nthree\nfour\n");
    world.commit_all("Move");
    CHECK(world.ask({.action = "blame", .path = "src/b.txt"}).text ==
          world.sh("git blame src/b.txt"));
    CHECK(world.ask({.action = "blame", .ref = "HEAD~1", .path = "a.txt"}).text ==
          world.sh("git blame HEAD~1 -- a.txt"));
    CHECK(world
              .ask({.action = "blame",
                    .ref = "HEAD~1",
                    .path = "a.txt",
                    .start_line = 2,
                    .end_line = 3})
              .text == world.sh("git blame -L2,3 HEAD~1 -- a.txt"));
    const auto details =
        world.ask({.action = "blame", .ref = "HEAD~1", .path = "a.txt"}).details["blame"];
    CHECK(details["line_count"] == 4);
    CHECK(details["hunks"].size() == 4);
    CHECK(has(world.refusal({.action = "blame", .path = "none.txt"}), "failed: no file"));
    CHECK(has(world.refusal({.action = "blame", .path = "picture.bin"}), "is binary"));
    CHECK(has(world.refusal({.action = "blame", .path = "moved.txt", .start_line = 99}),
              "input start_line"));
    CHECK(
        has(world.refusal({.action = "blame", .path = "moved.txt", .start_line = 3, .end_line = 2}),
            "input end_line"));
    const auto over_rename = world.ask({.action = "blame", .path = "moved.txt"}).details["blame"];
    auto first = world.sh("git rev-parse HEAD~2");
    first.pop_back();
    CHECK(over_rename["hunks"].size() == 5);
    CHECK(over_rename["hunks"][1]["commit"] == first);  // from before the rename
    auto policy = open_policy();
    policy.max_file_bytes = 3;
    CHECK(has(world.refusal({.action = "blame", .path = "moved.txt"}, policy), "max_file_bytes"));
}

TEST_CASE("blame: across merges, and in a shallow clone") {
    const Workspace world;
    world.begin();
    const auto numbered = [](int from, int to, const std::string& word) {
        std::string out;
        for (int i = from; i < to; ++i) out += word + ' ' + std::to_string(i) + '\n';
        return out;
    };
    world.write("f.txt", numbered(0, 40, "line"));
    world.commit_all("Forty lines");
    world.sh("git checkout -q -b side");
    world.write("f.txt",
                numbered(0, 10, "line") + numbered(10, 15, "side") + numbered(15, 40, "line"));
    world.commit_all("On the side");
    world.sh("git checkout -q main");
    world.write("f.txt",
                numbered(-2, 30, "line") + numbered(30, 33, "main") + numbered(33, 40, "line"));
    world.commit_all("On main");
    world.sh("git merge -q --no-edit side");
    world.write("f.txt", read(world.repo() / "f.txt") + "last\n");
    world.commit_all("After it");
    CHECK(world.ask({.action = "blame", .path = "f.txt"}).text == world.sh("git blame f.txt"));
    CHECK(world.ask({.action = "blame", .path = "f.txt", .start_line = 9, .end_line = 34}).text ==
          world.sh("git blame -L9,34 f.txt"));
    for (const char* depth : {"1", "2", "3"}) {
        CAPTURE(std::string(depth));
        world.sh("rm -rf ../cut && git clone -q --depth " + std::string(depth) +
                 " \"file://$PWD\" ../cut");
        const auto cut = world.ask({.action = "blame", .repo_path = "cut", .path = "f.txt"});
        CHECK(cut.text == world.sh("cd ../cut && git blame f.txt"));
    }
}

TEST_CASE("show and diff: a file that became a link has both patches") {
    const Workspace world;
    world.begin();
    world.sh("rm a.txt; ln -s src/b.txt a.txt");
    CHECK(world.ask({.action = "diff"}).text == world.sh("git diff"));
    world.commit_all("A link");
    const auto shown = world.ask({.action = "show"});
    CHECK(has(shown.text, world.sh("git show --format=")));
    const auto& details = shown.details["show"];
    CHECK(details["file_count"] == 1);
    CHECK(details["files"][0]["change"] == "type_changed");
    CHECK(details["insertions"] == 1);
    CHECK(details["deletions"] == 3);
    CHECK(has(world.ask({.action = "show", .name_only = true}).text, "\na.txt\n"));
    CHECK(world.ask({.action = "log", .max_count = 1, .stat = true})
              .details["log"]["commits"][0]["files"]
              .size() == 1);
}

}  // namespace
}  // namespace git::test
