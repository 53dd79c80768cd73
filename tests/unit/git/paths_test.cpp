// paths: matches, and errors without a match.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

TEST_CASE("paths: the top folder, in any spelling, matches everything") {
    const Workspace world;
    world.begin();
    for (const std::string top : {".", "", "./", "src/.."}) {
        CAPTURE(top);
        world.write("a.txt", "changed\n");
        world.write("src/new.txt", "new\n");
        world.write(".hidden", "new\n");
        const std::optional<std::vector<std::string>> paths{{top}};
        CHECK(world.ask({.action = "status", .paths = paths}).details["status"]["entry_count"] ==
              3);
        CHECK(world.ask({.action = "diff", .paths = paths}).details["diff"]["file_count"] == 1);
        CHECK(world.ask({.action = "files", .paths = paths}).details["files"]["file_count"] == 3);
        CHECK(world.ask({.action = "show", .paths = paths}).details["show"]["file_count"] == 3);
        CHECK(world.ask({.action = "log", .path = top}).details["log"]["commits"].size() == 1);
        CHECK(world.ask({.action = "stage", .paths = paths}).details["stage"]["file_count"] == 3);
        CHECK(world.ask({.action = "unstage", .paths = paths}).details["unstage"]["file_count"] ==
              3);
        world.sh("rm a.txt src/b.txt src/new.txt .hidden");
        CHECK(world.ask({.action = "checkout", .paths = paths}).details["checkout"]["file_count"] ==
              2);
        CHECK(world.sh("git status --porcelain").empty());
    }
}

TEST_CASE("paths: characters special to .gitignore are literal") {
    const Workspace world;
    world.begin();
    for (const std::string name : {"!a.txt", "#a", "a ", " "}) {
        CAPTURE(name);
        CHECK(has(world.refusal({.action = "stage", .paths = {{name}}}),
                  "failed: no file '" + name + "'"));
        world.write("other", "x");
        world.write(name, "x");
        CHECK(world.ask({.action = "stage", .paths = {{name}}}).details["stage"]["files"] ==
              Json::array({{{"path", name}, {"change", "untracked"}}}));
        world.sh("git reset -q; rm other '" + name + "'");
    }
    CHECK(has(world.refusal({.action = "status", .paths = {{"a\nb"}}}), "input paths"));
}

TEST_CASE("paths: a name without a match is an error") {
    const Workspace world;
    world.begin();
    world.write("a.txt", "changed\n");
    world.write("new.txt", "new\n");
    world.write(".git/info/exclude", "*.o\nout/\n");
    world.write("x.o", "ignored");
    world.write("out/y", "ignored");
    world.sh("mkdir empty; git tag v1");
    for (const char* action : {"stage", "unstage", "checkout"}) {
        for (const char* name : {"nosuch", "nosuch*", "src/none", "!a"}) {
            const auto said = world.refusal({.action = action, .paths = {{"src/b.txt", name}}});
            CAPTURE(action);
            CAPTURE(said);
            CHECK(has(said, "failed: no file '" + std::string(name) + "' in "));
        }
        CHECK(has(world.refusal({.action = action, .path = "nosuch"}), "failed: no file"));
        // Known, but without changes.
        CHECK(has(world.refusal({.action = action, .paths = {{"src"}}}), "answered: "));
        CHECK(has(world.refusal({.action = action, .paths = {{"s*c/b.txt"}}}), "answered: "));
    }
    CHECK(has(world.refusal({.action = "checkout", .ref = "v1", .paths = {{"new.txt"}}}),
              "failed: no file 'new.txt' in commit "));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"x.o"}}}), "is ignored"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"out"}}}), "is ignored"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"*.o"}}}), "failed: no file"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"empty"}}}), "staged 0 files"));
    CHECK(has(world.refusal({.action = "stage", .paths = {{"n*"}}}), "staged 1 file\n"));
    // Removed from the index, but still in HEAD.
    world.sh("git rm -q --cached src/b.txt");
    CHECK(has(world.refusal({.action = "unstage", .path = "src/b.txt"}), "unstaged 1 file\n"));
}

}  // namespace
}  // namespace git::test
