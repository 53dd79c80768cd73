#include "host/discovery/scan.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <set>

#include "host/discovery/reason.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost::discovery;
using toolhost::test::TempFolder;

namespace {

ScanOptions options(const TempFolder& folder, const TempFolder& cache) {
    ScanOptions out;
    out.folders = {folder.path()};
    out.cache = cache.path();
    out.probe.program = TOOLHOST_BINARY;
    return out;
}

// Sets a time at which the file is no longer being written.
void age(const std::string& path) {
    timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

}  // namespace

TEST_CASE("each reason has one table row, found by its code") {
    for (const auto& row : reason_table()) {
        CAPTURE(row.code);
        CHECK(&info(row.reason) == &row);
        CHECK(find_reason(row.code) == row.reason);  // unique
        CHECK_FALSE(row.advice.empty());
    }
    CHECK_FALSE(find_reason(""));
    CHECK_FALSE(find_reason("no_such_reason"));
}

TEST_CASE("a warm scan probes and hashes nothing") {
    TempFolder folder, cache;
    folder.take("echo");
    folder.take("constructor_crashes");
    age(folder / "echo.so");
    age(folder / "constructor_crashes.so");
    auto cold = scan(options(folder, cache));
    CHECK(cold.probed == 2);
    CHECK(take_tools(cold, options(folder, cache)).size() == 1);
    auto warm = scan(options(folder, cache));
    CHECK(warm.probed == 0);
    CHECK(warm.hashed == 0);
    CHECK(take_tools(warm, options(folder, cache)).size() == 1);
    CHECK(warm.findings[0].reason == Reason::load_crashed);
    auto again = options(folder, cache);
    again.retry_refused = true;
    CHECK(scan(again).probed == 1);
}

TEST_CASE("a touched file is compared, a changed one probed, a removed one dropped") {
    TempFolder folder, cache;
    folder.take("echo", "plugin");
    age(folder / "plugin.so");
    CHECK(scan(options(folder, cache)).probed == 1);
    REQUIRE(::utimensat(AT_FDCWD, (folder / "plugin.so").c_str(), nullptr, 0) == 0);
    auto touched = scan(options(folder, cache));
    CHECK(touched.probed == 0);
    CHECK(touched.hashed == 1);
    folder.take("adder", "plugin");
    auto changed = scan(options(folder, cache));
    CHECK(changed.probed == 1);
    CHECK(take_tools(changed, options(folder, cache))[0].spec.name == "adder");
    boost::filesystem::remove(folder / "plugin.so");
    CHECK(scan(options(folder, cache)).findings.empty());
}

TEST_CASE(
    "a changed private library changes its plugin's identity, and is compared while it is new") {
    TempFolder folder, cache;
    boost::filesystem::create_directory(folder / "echo");
    folder.take("echo", "echo/echo");
    age(folder / "echo/echo.so");
    folder.write("echo/data", "one");
    const auto identity = [&] {
        auto report = scan(options(folder, cache));
        const auto tools = take_tools(report, options(folder, cache));
        REQUIRE(tools.size() == 1);
        CHECK(tools[0].library->sha256 == report.findings[0].sha256);
        return tools[0].library->identity;
    };
    const auto first = identity();
    CHECK(first.size() == 64);
    auto again = scan(options(folder, cache));
    CHECK(again.probed == 0);
    CHECK(again.hashed == 1);  // written within the clock's resolution
    CHECK(again.findings[0].identity == first);
    folder.write("echo/data", "two");
    const auto second = identity();
    CHECK(second != first);
    folder.write("echo/data", "one");
    CHECK(identity() == first);
    boost::filesystem::create_directory(folder / "echo/deep");
    folder.write("echo/deep/more", "");
    CHECK(identity() != first);
}

TEST_CASE("a timeout is cached, but not for a longer deadline") {
    TempFolder folder, cache;
    folder.take("constructor_sleeps");
    age(folder / "constructor_sleeps.so");
    auto hasty = options(folder, cache);
    hasty.probe.deadline = std::chrono::milliseconds(200);
    CHECK(scan(hasty).findings[0].reason == Reason::load_timeout);
    CHECK(scan(hasty).probed == 0);
    hasty.probe.deadline = std::chrono::milliseconds(300);
    CHECK(scan(hasty).probed == 1);
}

TEST_CASE("refusals that a change of the machine can fix are probed every time") {
    TempFolder folder, cache;
    folder.take("unresolved_symbol");
    age(folder / "unresolved_symbol.so");
    CHECK(scan(options(folder, cache)).probed == 1);
    CHECK(scan(options(folder, cache)).probed == 1);
}

TEST_CASE("folders: order, duplicates, missing ones") {
    TempFolder first, second, cache;
    first.take("echo", "z");
    second.take("echo", "a");
    auto both = options(first, cache);
    both.folders = {first.path(), second.path(), first.path() + "/.", first / "missing"};
    auto report = scan(both);
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].candidate.path.ends_with("/z.so"));
    REQUIRE(report.folders.size() == 3);
    CHECK_FALSE(report.folders[2].exists);
}

TEST_CASE("without a cache every scan is cold") {
    TempFolder folder, cache;
    folder.take("echo");
    auto none = options(folder, cache);
    none.cache.clear();
    CHECK(scan(none).probed == 1);
    CHECK(scan(none).probed == 1);
}
