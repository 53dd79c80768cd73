// The spec cache: what it stores, when it is not used, and that it is optional.
#include <doctest/doctest.h>
#include <fstream>

#include <algorithm>
#include <chrono>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// A scan with a debug log.
Run scan(const Stage& stage, std::vector<std::string> args = {}, const Options& options = {}) {
    args.insert(args.begin(), {"list", "--json", "--log-level", "debug"});
    auto run = stage.run(args, options);
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    return run;
}

void check_did(const Run& run, const std::string& what) {
    CAPTURE(run);
    CHECK(contains(run.err, what));
}

// The cache's own files, without the copies of libraries beside them.
std::vector<fs::path> cache_files(const Stage& stage) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(stage.cache()))
        if (entry.is_regular_file() && !contains(entry.path().filename().string(), ".so"))
            files.push_back(entry.path());
    return files;
}

// Works as without a cache, prints one warning, and is repaired on the next run.
void check_survives(const Stage& stage, const Options& options = {}) {
    const auto run = stage.run({"list", "--json"}, options);
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    CHECK(tool_names(run.json()) == std::vector<std::string>{"echo"});
    const auto lines = lines_of(run.err);
    const auto about_cache = std::count_if(lines.begin(), lines.end(), [](const auto& line) {
        return line.starts_with("warning: cache");
    });
    CHECK(about_cache == 1);
}

TEST_SUITE("cache") {
    TEST_CASE("a warm start probes and loads nothing") {
        const Stage stage({"echo", "adder"});
        check_did(scan(stage), "probed=2");
        const auto warm = scan(stage);
        check_did(warm, "probed=0");
        check_did(warm, "loaded=0");
        CHECK(tool_names(warm.json()) == std::vector<std::string>{"adder", "echo"});
    }

    TEST_CASE("a refusal is cached too") {
        const Stage stage({"echo", "constructor_crashes"});
        scan(stage);
        check_did(scan(stage), "probed=0");
        const auto doctor = stage.run({"doctor", "--json"});
        const auto refused = candidate(doctor.json(), "constructor_crashes.so");
        CHECK(refused.value("reason", "") == "load_crashed");
    }

    TEST_CASE("--no-cache probes again and stores nothing") {
        const Stage stage({"echo"});
        check_did(scan(stage, {"--no-cache"}), "probed=1");
        check_did(scan(stage, {"--no-cache"}), "probed=1");
        CHECK(cache_files(stage).empty());
    }

    TEST_CASE("a changed private library changes its plugin") {
        const Stage stage({"private_dependency"});
        check_did(scan(stage), "probed=1");
        check_did(scan(stage), "probed=0");
        const auto change = [&](auto edit) {
            for (const auto& entry : fs::directory_iterator(stage.plugins() / "private_dependency"))
                if (entry.path().filename() != "private_dependency.so") edit(entry.path());
        };
        change([](const fs::path& file) {
            fs::last_write_time(file, fs::file_time_type::clock::now());
        });
        check_did(scan(stage), "probed=0 hashed=1");
        change([](const fs::path& file) { std::ofstream(file, std::ios::app) << 'x'; });
        check_did(scan(stage), "probed=1");
    }

    TEST_CASE("a touched file is not probed") {
        const Stage stage({"echo"});
        scan(stage);
        const auto file = stage.plugins() / "echo.so";
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::hours(1));
        check_did(scan(stage), "probed=0");
    }

    TEST_CASE("a plugin that is replaced by rename is probed, and its new code runs") {
        const Stage stage;
        const auto plugin = stage.add_as("versioned_1_0_0", "tool.so");
        CHECK(stage.run({"call", "versioned"}).out == "1.0.0\n");
        const auto next = stage.root() / "next.so";
        fs::copy_file(fixture_library("versioned_1_2_0"), next);
        // The worst case: the same time and the same size.
        fs::last_write_time(next, fs::last_write_time(plugin));
        fs::rename(next, plugin);
        CHECK(stage.run({"call", "versioned"}).out == "1.2.0\n");
        check_did(scan(stage), "probed=0");
    }

    TEST_CASE("a plugin that is overwritten in place is probed") {
        const Stage stage;
        const auto plugin = stage.add_as("versioned_1_0_0", "tool.so");
        CHECK(stage.run({"call", "versioned"}).out == "1.0.0\n");
        write_file(plugin, read_file(fixture_library("versioned_1_2_0")));
        CHECK(stage.run({"call", "versioned"}).out == "1.2.0\n");
    }

    TEST_CASE("only the new plugin is probed") {
        const Stage stage({"echo"});
        scan(stage);
        stage.add("adder");
        check_did(scan(stage), "probed=1");
    }

    TEST_CASE("a removed plugin is not listed from the cache") {
        const Stage stage({"echo", "adder"});
        scan(stage);
        fs::remove(stage.plugins() / "adder.so");
        CHECK(tool_names(scan(stage).json()) == std::vector<std::string>{"echo"});
    }

    TEST_CASE("a cache file that is invalid, truncated, empty or of another format") {
        for (const auto* content : {"nonsense", "{\"format\": ", "", "[]", "{\"format\": 0}",
                                    "{\"format\": \"1\", \"entries\": 5}", "\xff\xfe\x00"}) {
            CAPTURE(std::string(content));
            const Stage stage({"echo"});
            scan(stage);
            const auto files = cache_files(stage);
            REQUIRE_FALSE(files.empty());
            for (const auto& file : files) write_file(file, content);
            check_survives(stage);
            check_did(scan(stage), "probed=0");
        }
    }

    TEST_CASE("a cache with altered entries") {
        const Stage stage({"echo"});
        scan(stage);
        for (const auto& file : cache_files(stage)) {
            auto content = read_file(file);
            for (auto at = content.find("\"object\""); at != std::string::npos;
                 at = content.find("\"object\"", at))
                content.replace(at, 8, "5");
            write_file(file, content);
        }
        // Detected or harmless: the tool or its refusal is reported.
        CHECK(stage.run({"list", "--json"}).exit_code == 0);
        CHECK(stage.run({"doctor", "--json"}).exit_code == 0);
    }

    TEST_CASE("a cache folder that cannot be written") {
        const Stage stage({"echo"});
        const auto file = stage.root() / "a-file";
        write_file(file, "");
        check_survives(stage, {.env = {{"TOOLHOST_CACHE", (file / "cache").string()}}});
        const auto closed = stage.root() / "closed";
        fs::create_directory(closed);
        fs::permissions(closed, fs::perms(0555));
        Options options{.env = {{"TOOLHOST_CACHE", closed.string()}}};
        if (is_root()) options.user = kNobody;
        check_survives(stage, options);
    }

    TEST_CASE("a call works without a cache folder") {
        const Stage stage({"adder"});
        const auto file = stage.root() / "a-file";
        write_file(file, "");
        const auto run = stage.run({"call", "adder", "a=1", "b=2"},
                                   {.env = {{"TOOLHOST_CACHE", (file / "cache").string()}}});
        CAPTURE(run);
        CHECK(run.out == "3\n");
    }
}

}  // namespace
}  // namespace toolhost::test
