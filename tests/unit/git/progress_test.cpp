// Long operations report progress, and end soon after cancellation.
#include <doctest/doctest.h>

#include <chrono>

#include "tests/unit/git/fixture.hpp"

namespace git::test {
namespace {

using Clock = std::chrono::steady_clock;

// A history with a file that changes in every commit, made by fast-import.
void make_long(const Workspace& world, int commits) {
    world.sh("git init -q -b main; i=0; { while [ $i -lt " + std::to_string(commits) +
             " ]; do i=$((i+1)); echo \"commit refs/heads/main\ncommitter C <c@example.com> "
             "$((1700000000+i)) +0000\ndata <<E\nCommit $i\nE\nM 100644 inline f.txt\ndata <<E\n"
             "$i\n$((i/2))\n$((i/3))\n$((i/5))\nE\n\"; done; } | git fast-import --quiet; git "
             "reset -q --hard");
}

// Cancelled at the n-th check.
std::string cancelled_at(const Workspace& world, Request request, int look, int& looks) {
    Progress progress([&] { return ++looks >= look; }, {});
    request.repo_path = "repo";
    try {
        static_cast<void>(run(request, open_policy(), world.root(), progress));
        return "answered";
    } catch (const Stopped&) {
        return "stopped";
    } catch (const Failure& failure) {
        return failure.message;
    }
}

TEST_CASE("every long action can be cancelled at any point") {
    const Workspace world;
    make_long(world, 300);
    world.write("f.txt", "changed\n");
    for (int i = 0; i < 30; ++i) world.write("u" + std::to_string(i) + ".txt", "x");
    world.sh(
        "git branch side HEAD~200; git clone -q --bare . ../up.git; "
        "git remote add origin ../up.git; git clone -q --bare . ../from.git; "
        "git remote add from ../from.git; git update-ref -d refs/remotes/origin/main");
    const std::vector<Request> requests{
        {.action = "log", .author = "nobody"}, {.action = "log", .paths = {{"none.txt"}}},
        {.action = "blame", .path = "f.txt"},  {.action = "status"},
        {.action = "diff", .ref = "HEAD~100"}, {.action = "files", .include_untracked = true},
        {.action = "stage", .all = true}};
    for (const auto& request : requests) {
        CAPTURE(request.action);
        int all = 0;
        int first = 0, late = 0;
        CHECK(cancelled_at(world, request, 1, first) == "stopped");
        CHECK(first <= 4);
        if (request.action == "stage") continue;  // a second time it has nothing to do
        CHECK(cancelled_at(world, request, 1 << 30, all) == "answered");
        CHECK(all > 5);
        CHECK(cancelled_at(world, request, all / 2 + 1, late) == "stopped");
        CHECK(late <= all / 2 + 20);
    }
    CHECK(world.sh("git diff --cached --name-only").empty());
}

TEST_CASE("progress is reported at most ten times per second") {
    const Workspace world;
    make_long(world, 2000);
    std::vector<std::string> told;
    auto delay = std::chrono::microseconds(100);
    Progress progress(
        [&] {
            const auto end = Clock::now() + delay;
            while (Clock::now() < end) {
            }
            return false;
        },
        [&](double done, std::optional<double>, std::string_view what) {
            CHECK(done > 0);
            told.emplace_back(what);
        });
    Request request{.action = "log", .repo_path = "repo", .author = "nobody"};
    const auto start = Clock::now();
    static_cast<void>(run(request, open_policy(), world.root(), progress));
    const auto tenths = (Clock::now() - start) / std::chrono::milliseconds(100);
    CHECK(told.size() >= 2);
    CHECK(static_cast<std::int64_t>(told.size()) <= tenths + 1);
}

}  // namespace
}  // namespace git::test
