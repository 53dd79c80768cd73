// log and show, compared with the git command.
#include <doctest/doctest.h>

#include "actions/dates.hpp"
#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

// Two branches with merges, a revert to the same content, and a rename.
void make_history(const Workspace& world) {
    world.begin();
    world.write("a.txt", "one\nTWO\nthree\n");
    world.commit_all("Change a");
    world.sh("git tag v1; git checkout -q -b side");
    world.write("side.txt", "side\n");
    world.commit_all("Side work\n\nWith a body.\n\nAnd more.");
    world.write("a.txt", "one\nTWO\nthree\nside\n");
    world.commit_all("Side touches a");
    world.sh("git checkout -q main");
    world.write("src/b.txt", "bee\nbee\n");
    world.commit_all("Main work");
    world.sh("git merge -q --no-ff -m 'Merge side' side");
    world.sh("git mv side.txt moved.txt");
    world.commit_all("Move");
    world.sh(
        "git checkout -q -b other; git commit -q --allow-empty -m Empty "
        "--author='Zed <zed@example.org>'");
}

void check_log(const Workspace& world) {
    const auto same = [&](Request request, const std::string& options) {
        CAPTURE(options);
        request.action = "log";
        CHECK(world.ask(request).text == world.sh("git log " + options));
    };
    same({}, "");
    same({.max_count = 3}, "-3");
    same({.max_count = 2, .skip = 2}, "-2 --skip=2");
    same({.ref = "v1..HEAD"}, "v1..HEAD");
    same({.ref = "side...HEAD"}, "side...HEAD");
    same({.ref = "HEAD~2"}, "HEAD~2");
    same({.paths = {{"a.txt"}}}, "-- a.txt");
    same({.paths = {{"src"}}}, "-- src");
    same({.path = "side.txt"}, "-- side.txt");
    same({.paths = {{"*.txt"}}}, "-- '*.txt'");
    same({.paths = {{"moved.txt", "src/b.txt"}}}, "-- moved.txt src/b.txt");
    same({.ref = "v1..HEAD", .paths = {{"a.txt", "src"}}}, "v1..HEAD -- a.txt src");
    same({.author = "zed@"}, "--author=zed@");
    same({.grep = "with a BODY"}, "-i --grep='with a body'");
    same({.since = "2026-01-15T10:08:00+0100"}, "--since=2026-01-15T10:08:00+0100");
    same({.until = "2026-01-15 09:05Z"}, "--until='2026-01-15 09:05 +0000'");
    same({.max_count = 1, .name_only = true}, "-1 --name-only");
    CHECK(world.ask({.action = "log", .author = "nobody"}).text == "no commits\n");
}

TEST_CASE("log: the same as git's") {
    const Workspace world;
    make_history(world);
    check_log(world);
}

TEST_CASE("log: the same with a commit graph, current, old or damaged") {
    const Workspace world;
    make_history(world);
    const std::string file = ".git/objects/info/commit-graph";
    world.sh("git rev-parse main~1 | git commit-graph write --stdin-commits");
    check_log(world);
    world.sh("git commit-graph write --reachable");
    check_log(world);
    world.sh("git config core.commitGraph false; chmod u+w " + file);  // git itself would report it
    const auto whole = read(world.repo() / file);
    for (const std::size_t length : {7U, 1150U, 1400U}) {
        world.write(file, whole.substr(0, length));
        check_log(world);
    }
}

TEST_CASE("log and show: a shallow clone ends where it was cut") {
    const Workspace world;
    make_history(world);
    world.sh(
        "git checkout -q main; git clone -q --depth 2 --no-single-branch \"file://$PWD\" ../cut; "
        "rm -rf .git; mv ../cut/.git .; git reset -q --hard origin/main");
    const auto subjects = [&](Request request) {
        request.action = "log";
        std::string all;
        const auto log = world.ask(request).details["log"];
        for (const auto& commit : log["commits"])
            all += commit["subject"].get<std::string>() + '\n';
        return all;
    };
    CHECK(subjects({}) == world.sh("git log --format=%s"));
    CHECK(subjects({.paths = {{"a.txt"}}}) == world.sh("git log --format=%s -- a.txt"));
    CHECK(subjects({.stat = true}) == world.sh("git log --format=%s"));
    CHECK(world.ask({.action = "show", .ref = "HEAD~1", .name_only = true}).text != "");
}

TEST_CASE("log: its JSON, more, limits") {
    const Workspace world;
    make_history(world);
    const auto log = world.ask({.action = "log", .ref = "main", .max_count = 2}).details["log"];
    CHECK(log["more"] == true);
    REQUIRE(log["commits"].size() == 2);
    CHECK(log["commits"][1]["subject"] == "Merge side");
    CHECK(log["commits"][1]["parents"].size() == 2);
    CHECK(log["commits"][1]["author"] == "Ann");
    CHECK(log["commits"][0]["date"].get<std::string>().substr(0, 11) == "2026-01-15T");
    auto policy = open_policy();
    policy.max_log_count = 1;
    const auto cut = world.ask({.action = "log", .max_count = 5}, policy);
    CHECK(cut.details["log"]["commits"].size() == 1);
    CHECK(cut.details["truncated"] == true);
    const auto stat = world.ask({.action = "log", .ref = "v1", .max_count = 1, .stat = true});
    CHECK(stat.details["log"]["commits"][0]["files"][0]["insertions"] == 1);
    const Workspace unborn;
    unborn.sh("git init -q -b main");
    CHECK(unborn.ask({.action = "log"}).text == "no commits yet\n");
}

TEST_CASE("log: since is checked for its form and its age") {
    const Workspace world;
    world.begin();
    auto policy = open_policy();
    CHECK(has(world.refusal({.action = "log", .since = "last tuesday"}),
              "invalid_since_format: since"));
    CHECK(has(world.refusal({.action = "log", .until = "2026-13-01"}),
              "invalid_since_format: until"));
    policy.max_age_days = 1;
    CHECK(has(world.refusal({.action = "log", .since = "2 days"}, policy), "since_not_allowed"));
    world.sh("GIT_COMMITTER_DATE='1999-01-01T00:00:00Z' git commit -q --allow-empty -m Old");
    CHECK(world.ask({.action = "log"}, policy).text == "no commits\n");
    world.sh("GIT_COMMITTER_DATE= git commit -q --allow-empty -m New");
    CHECK(world.ask({.action = "log"}, policy).details["log"]["commits"].size() == 1);
}

TEST_CASE("dates") {
    constexpr std::int64_t kNow = 1768480496;  // 2026-01-15T12:34:56Z
    CHECK(parse_when("2026-01-15T12:34:56Z", 0) == kNow);
    CHECK(parse_when("2026-01-15T13:34:56+01:00", 0) == kNow);
    CHECK(parse_when("2026-01-15 07:04:56 -0530", 0) == kNow);
    CHECK(parse_when("2026-01-15T12:34", 0) == kNow - 56);
    CHECK(parse_when("@1768480496", 0) == kNow);
    CHECK(parse_when("2026-01-15", 0) == kNow - (12 * 3600 + 34 * 60 + 56));
    CHECK(parse_when("today", kNow) == parse_when("2026-01-15", 0));
    CHECK(parse_when("3 days ago", kNow) == kNow - 3 * 86400);
    CHECK(parse_when("2.weeks", kNow) == kNow - 14 * 86400);
    CHECK(parse_when("1 hour", kNow) == kNow - 3600);
    CHECK(parse_when("yesterday", kNow) == kNow - 86400);
    for (const char* bad : {"", "x", "2026", "2026-1-1", "2026-02-30", "2026-01-15T", "@", "@x",
                            "2026-01-15T25:00", "2026-01-15T12:34:56+99:00", "3 moons", "-1 days",
                            "3days", "99999999999999999999 days", "2026-01-15T12:34:56Zz"})
        CHECK_MESSAGE(!parse_when(bad, kNow), bad);
}

TEST_CASE("show: commits, merges, tags, trees, files") {
    const Workspace world;
    make_history(world);
    CHECK(world.ask({.action = "show", .ref = "v1"}).text == world.sh("git show v1"));
    CHECK(world.ask({.action = "show", .ref = "main"}).text == world.sh("git show main"));
    CHECK(world.ask({.action = "show", .ref = "main~4", .name_only = true}).text ==
          world.sh("git show --name-only main~4"));
    CHECK(world.ask({.action = "show", .ref = "HEAD:a.txt"}).text ==
          world.sh("git show HEAD:a.txt"));
    CHECK(has(world.ask({.action = "show", .ref = "HEAD:src"}).text, "b.txt\n"));
    CHECK(world.ask({.action = "show", .ref = "HEAD:picture.bin"}).details["show"]["binary"] ==
          true);
    const auto merge = world.ask({.action = "show", .ref = "main~1"});
    CHECK(has(merge.text, "Merge: "));
    CHECK(has(merge.text, "against the first parent"));
    CHECK(merge.details["show"]["files"].size() == 2);
    world.sh("git tag -a -m 'The release' v2 main");
    const auto tag = world.ask({.action = "show", .ref = "v2"});
    CHECK(tag.details["show"]["kind"] == "tag");
    CHECK(has(tag.text, "The release"));
    CHECK(has(tag.text, "rename from side.txt"));
}

}  // namespace
}  // namespace git::test
