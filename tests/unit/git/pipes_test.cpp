// A named pipe where git reads a file: opening it would wait for a writer for ever.
#include <doctest/doctest.h>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

TEST_CASE("pipes: rule files in the working tree") {
    const Workspace world;
    world.begin();
    world.sh("echo more >> src/b.txt; git commit -qam Second");
    for (const char* name : {".gitignore", ".gitattributes", "src/.gitignore", "src/.gitattributes",
                             "new/.gitignore", ".gitmodules"}) {
        world.sh("mkdir -p new; echo > new/f; mkfifo " + std::string(name));
        for (const char* action : {"status", "diff", "stash"})
            CHECK(has(world.refusal({.action = action}),
                      "failed: '" + std::string(name) + "' is a named pipe or a device"));
        CHECK(has(world.refusal({.action = "stage", .all = true}), "is a named pipe"));
        CHECK(has(world.refusal({.action = "checkout", .paths = {{"a.txt"}}}), "is a named pipe"));
        CHECK(
            has(world.refusal({.action = "files", .include_untracked = true}), "is a named pipe"));
        for (const char* action : {"show", "log"})
            CHECK_FALSE(world.refusal({.action = action, .stat = true}).empty());  // it ends
        world.sh("rm " + std::string(name));
    }
    world.sh("mkfifo pipe; ln -s pipe .gitignore");
    CHECK(has(world.refusal({.action = "status"}), "is a named pipe"));
}

TEST_CASE("pipes: a tracked file that became one is not staged") {
    const Workspace world;
    world.begin();
    world.sh("rm a.txt; mkfifo a.txt");
    CHECK(has(world.refusal({.action = "status"}), " D a.txt"));
    CHECK(has(world.refusal({.action = "stage", .all = true}), "failed: 'a.txt' is not a file"));
}

TEST_CASE("pipes: in .git") {
    for (const std::string name :
         {"HEAD", "config", "index", "packed-refs", "commondir", "info/exclude", "info/attributes",
          "objects/info/alternates", "refs/heads/pipe", "refs/stash", "logs/HEAD"}) {
        const Workspace world;
        world.begin();
        CAPTURE(name);
        world.sh("rm -f .git/" + name + "; mkfifo .git/" + name);
        CHECK(has(world.refusal({.action = "status"}), "is a named pipe or a device"));
    }
    const Workspace world;
    world.begin();
    world.sh("o=.git/objects/$(git rev-parse HEAD | sed 's,^..,&/,'); rm -f $o; mkfifo $o");
    CHECK(has(world.refusal({.action = "log"}), "is a named pipe or a device"));
    world.sh("rm -rf .git; mkfifo .git");
    CHECK(has(world.refusal({.action = "log"}), "failed: "));
}

}  // namespace
}  // namespace git::test
