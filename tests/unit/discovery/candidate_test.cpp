#include "host/discovery/candidate.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/discovery/binary_format.hpp"
#include "host/os/descriptor.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost::discovery;
using toolhost::os::open_for_reading;
using toolhost::test::TempFolder;

namespace {

std::string reason_of(const TempFolder& folder, const std::string& name) {
    for (const auto& finding : list_candidates(folder.path()).candidates)
        if (finding.candidate.path == folder / name)
            return finding.ok() ? "" : std::string(info(*finding.reason).code);
    return "not listed";
}

std::string_view format_of(const std::string& path) {
    auto file = open_for_reading(path);
    REQUIRE(file);
    const auto fault = check_format(file.get());
    return fault ? info(fault->reason).code : "";
}

}  // namespace

TEST_CASE("candidates by file name and type") {
    TempFolder folder;
    folder.write("a.so", "x");
    folder.write("b.txt", "x");
    folder.write(".hidden.so", "x");
    folder.write("c.so.1", "x");
    boost::filesystem::create_directory(folder / "own");
    folder.write("own/own.so", "x");
    folder.write("own/part.so", "x");
    boost::filesystem::create_directory(folder / "other");
    folder.write("other/some.so", "x");
    auto listing = list_candidates(folder.path());
    REQUIRE(listing.candidates.size() == 2);
    CHECK(listing.candidates[0].candidate.path == folder / "a.so");
    CHECK(listing.candidates[1].candidate.path == folder / "own/own.so");
    CHECK_FALSE(listing.candidates[0].candidate.own_folder);
    CHECK(listing.candidates[1].candidate.own_folder);
    CHECK(listing.candidates[0].candidate.stamp.size == 1);
}

TEST_CASE("a missing folder is empty, an unusable one has a problem") {
    TempFolder folder;
    auto missing = list_candidates(folder / "none");
    CHECK(missing.candidates.empty());
    CHECK(missing.problem.empty());
    folder.write("file", "x");
    CHECK_FALSE(list_candidates(folder / "file").problem.empty());
}

TEST_CASE("files that must not be opened") {
    TempFolder folder;
    folder.write("empty.so", "");
    folder.write("good.so", "x");
    folder.write("shared.so", "x");
    REQUIRE(::chmod((folder / "shared.so").c_str(), 0666) == 0);
    REQUIRE(::mkfifo((folder / "fifo.so").c_str(), 0600) == 0);
    REQUIRE(::symlink("loop.so", (folder / "loop.so").c_str()) == 0);
    REQUIRE(::symlink("nowhere", (folder / "dangling.so").c_str()) == 0);
    REQUIRE(::symlink("good.so", (folder / "link.so").c_str()) == 0);
    CHECK(reason_of(folder, "good.so").empty());
    CHECK(reason_of(folder, "link.so").empty());
    CHECK(reason_of(folder, "empty.so") == "empty_file");
    CHECK(reason_of(folder, "shared.so") == "writable_by_others");
    CHECK(reason_of(folder, "fifo.so") == "not_regular_file");
    CHECK(reason_of(folder, "loop.so") == "symlink_loop");
    CHECK(reason_of(folder, "dangling.so") == "dangling_link");
    if (::geteuid() == 0) {
        folder.write("theirs.so", "x");
        REQUIRE(::chown((folder / "theirs.so").c_str(), 12345, 12345) == 0);
        CHECK(reason_of(folder, "theirs.so") == "untrusted_owner");
    }
}

TEST_CASE("private libraries must be as trusted as the plugin") {
    TempFolder folder;
    boost::filesystem::create_directory(folder / "own");
    folder.write("own/own.so", "x");
    folder.write("own/libpart.so", "x");
    CHECK(reason_of(folder, "own/own.so").empty());
    REQUIRE(::chmod((folder / "own/libpart.so").c_str(), 0666) == 0);
    CHECK(reason_of(folder, "own/own.so") == "writable_by_others");
    REQUIRE(::chmod((folder / "own/libpart.so").c_str(), 0644) == 0);
    REQUIRE(::chmod((folder / "own").c_str(), 0777) == 0);
    CHECK(reason_of(folder, "own/own.so") == "writable_by_others");
}

TEST_CASE("the time of a plugin is that of its newest file") {
    TempFolder folder;
    boost::filesystem::create_directory(folder / "own");
    folder.write("own/own.so", "x");
    folder.write("own/libpart.so", "x");
    const auto set_age = [&](const char* name, time_t seconds) {
        const timespec times[2] = {{seconds, 0}, {seconds, 0}};
        REQUIRE(::utimensat(AT_FDCWD, (folder / name).c_str(), times, 0) == 0);
    };
    set_age("own/own.so", 1'600'000'000);
    set_age("own/libpart.so", 1'700'000'000);
    const auto stamp = list_candidates(folder.path()).candidates.at(0).candidate.stamp;
    CHECK(stamp.mtime_ns / 1'000'000'000 == 1'700'000'000);
}

TEST_CASE("a stamp distinguishes the library's own file from its companions") {
    TempFolder folder;
    boost::filesystem::create_directory(folder / "own");
    folder.write("own/own.so", "xyz");
    const auto stamp = [&] {
        return list_candidates(folder.path()).candidates.at(0).candidate.stamp;
    };
    const auto alone = stamp();
    CHECK(alone.size == 3);
    CHECK(alone.companions == 0);
    folder.write("own/libpart.so", "x");
    const auto with_one = stamp();
    CHECK(with_one.size == 3);
    CHECK(with_one.companions != 0);
    folder.write("own/libpart.so", "xx");
    CHECK(stamp().size == 3);
    CHECK(stamp().companions != with_one.companions);
}

TEST_CASE("a plugin's folder must contain its files itself") {
    TempFolder folder;
    boost::filesystem::create_directory(folder / "own");
    folder.write("own/own.so", "x");
    REQUIRE(::symlink("own.so", (folder / "own/inside").c_str()) == 0);
    CHECK(reason_of(folder, "own/own.so").empty());
    REQUIRE(::symlink("/etc/passwd", (folder / "own/shadow").c_str()) == 0);
    CHECK(reason_of(folder, "own/own.so") == "link_leaves_folder");
    REQUIRE(::unlink((folder / "own/shadow").c_str()) == 0);
    REQUIRE(::symlink("../../../../etc/passwd", (folder / "own/shadow").c_str()) == 0);
    CHECK(reason_of(folder, "own/own.so") == "link_leaves_folder");
    REQUIRE(::unlink((folder / "own/shadow").c_str()) == 0);
    REQUIRE(::mkfifo((folder / "own/fifo").c_str(), 0600) == 0);
    CHECK(reason_of(folder, "own/own.so") == "not_regular_file");
    REQUIRE(::unlink((folder / "own/fifo").c_str()) == 0);
    for (int i = 0; i < 256; ++i) folder.write("own/part" + std::to_string(i), "x");
    CHECK(reason_of(folder, "own/own.so") == "too_large");
}

TEST_CASE("a link in place of a plugin's folder is refused") {
    TempFolder folder, elsewhere;
    elsewhere.write("own.so", "x");
    REQUIRE(::symlink(elsewhere.path().c_str(), (folder / "own").c_str()) == 0);
    CHECK(reason_of(folder, "own/own.so") == "link_leaves_folder");
}

TEST_CASE("a group-writable file in a world-writable folder is refused") {
    TempFolder folder;
    boost::filesystem::create_directory(folder / "own");
    folder.write("a.so", "x");
    folder.write("own/own.so", "x");
    folder.write("own/libpart.so", "x");
    REQUIRE(::chmod((folder / "a.so").c_str(), 0664) == 0);
    REQUIRE(::chmod((folder / "own/libpart.so").c_str(), 0664) == 0);
    CHECK(reason_of(folder, "a.so").empty());
    CHECK(reason_of(folder, "own/own.so").empty());
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    CHECK(reason_of(folder, "a.so") == "writable_by_others");
    CHECK(reason_of(folder, "own/own.so") == "writable_by_others");
    // In a sticky folder others cannot rename files that only their owner can write.
    for (const char* name : {"a.so", "own/own.so", "own/libpart.so"})
        REQUIRE(::chmod((folder / name).c_str(), 0644) == 0);
    CHECK(reason_of(folder, "a.so").empty());
    CHECK(reason_of(folder, "own/own.so").empty());
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    CHECK(reason_of(folder, "a.so") == "writable_by_others");
    // A link out of it does not change that.
    TempFolder other;
    REQUIRE(::symlink((folder / "a.so").c_str(), (other / "link.so").c_str()) == 0);
    CHECK(reason_of(other, "link.so") == "writable_by_others");
    REQUIRE(::chmod(folder.path().c_str(), 0700) == 0);
}

TEST_CASE("formats are detected from headers, and every header is checked") {
    TempFolder folder;
    folder.take("echo");
    std::string good;
    REQUIRE(toolhost::os::read_file(folder / "echo.so", 1u << 24, good));
    CHECK(format_of(folder / "echo.so").empty());

    auto with = [&](std::size_t at, std::string bytes) {
        std::string changed = good;
        changed.replace(at, bytes.size(), bytes);
        folder.write("changed.so", changed);
        return format_of(folder / "changed.so");
    };
    using namespace std::string_literals;
    CHECK(with(18, "\x03\x00"s) == "other_machine");  // 32-bit x86
    CHECK(with(18, "\x99\x99"s) == "other_machine");
    CHECK(with(4, "\x01"s) == "other_machine");           // 32-bit
    CHECK(with(5, "\x02"s) == "other_machine");           // other byte order
    CHECK(with(16, "\x02\x00"s) == "not_a_library");      // an executable
    CHECK(with(32, "\xff\xff\xff\xff"s) == "truncated");  // program headers far away
    CHECK(with(54, "\x01\x00"s) == "truncated");          // odd entry size
    CHECK(with(40, "\xff\xff\xff\xff\xff\xff\xff\x7f"s) == "truncated");
    CHECK(with(60, "\x00\x00"s) == "damaged");  // no sections
    CHECK(with(62, "\xff\x00"s) == "damaged");  // names in no section
    for (std::size_t size : {4u, 17u, 20u, 63u, 64u, 200u, 5000u}) {
        CAPTURE(size);
        folder.write("cut.so", good.substr(0, size));
        CHECK(format_of(folder / "cut.so") == "truncated");
    }
    for (auto [text, reason] :
         {std::pair{"MZ\x90", "other_platform"}, std::pair{"\xCF\xFA\xED\xFE", "other_platform"},
          std::pair{"#!/bin/sh", "not_a_library"}, std::pair{"x", "not_a_library"}}) {
        folder.write("other.so", text);
        CHECK(format_of(folder / "other.so") == reason);
    }
}
