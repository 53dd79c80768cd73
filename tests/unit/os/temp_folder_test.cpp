#include "host/os/temp_folder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::os;
using std::chrono::seconds;

TEST_CASE("a temporary folder is removed with any content") {
    const auto folder = make_temp_folder();
    REQUIRE_FALSE(folder.empty());
    struct stat info {};
    REQUIRE(::stat(folder.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    test::TempFolder outside;
    outside.write("file", "stays");
    REQUIRE(::symlink(outside.path().c_str(), (folder + "/link").c_str()) == 0);
    REQUIRE(::mkfifo((folder + "/fifo").c_str(), 0600) == 0);
    for (const char* name : {"/a", "/a/b", "/a/b/c", "/a/d"})
        REQUIRE(::mkdir((folder + name).c_str(), 0700) == 0);
    REQUIRE(::symlink("/etc", (folder + "/a/b/c/link").c_str()) == 0);
    for (const char* name : {"/a/b/c", "/a/b", "/a/d", "/a"})
        REQUIRE(::chmod((folder + name).c_str(), 0) == 0);
    CHECK(remove_temp_folder(folder, seconds(20)));
    CHECK(::access(folder.c_str(), F_OK) != 0);
    CHECK(boost::filesystem::exists(outside / "file"));
    CHECK(remove_temp_folder(folder, seconds(20)));  // it was removed
}

TEST_CASE("temporary folders are in a folder that only this user can access") {
    const auto folder = make_temp_folder();
    REQUIRE_FALSE(folder.empty());
    const auto parent = private_folders().back();
    CHECK(folder.starts_with(parent + '/'));
    CHECK(remove_temp_folder(folder, seconds(20)));
    const test::TempFolder base;
    CHECK(make_private_folder(base / "own"));
    struct stat info {};
    REQUIRE(::stat((base / "own").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    CHECK(make_private_folder(base / "own"));
    REQUIRE(::symlink("own", (base / "link").c_str()) == 0);
    CHECK_FALSE(make_private_folder(base / "link"));
    REQUIRE(::chmod((base / "own").c_str(), 0750) == 0);
    CHECK_FALSE(make_private_folder(base / "own"));
    if (::geteuid() != 0) return;
    REQUIRE(::chmod((base / "own").c_str(), 0700) == 0);
    REQUIRE(::chown((base / "own").c_str(), 12345, 12345) == 0);
    CHECK_FALSE(make_private_folder(base / "own"));
}

TEST_CASE("a tree that is too deep for paths and descriptors is removed too") {
    const auto folder = make_temp_folder();
    int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < 3000; ++i) {
        REQUIRE(::mkdirat(at, "folder", 0700) == 0);
        const int below = ::openat(at, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        REQUIRE(below >= 0);
        ::close(at);
        at = below;
    }
    ::close(at);
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit few{64, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    CHECK(remove_temp_folder(folder, seconds(20)));
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(::access(folder.c_str(), F_OK) != 0);
}

TEST_CASE("with a negative timeout nothing is removed") {
    const auto folder = make_temp_folder();
    REQUIRE(::mkdir((folder + "/a").c_str(), 0700) == 0);
    CHECK_FALSE(remove_temp_folder(folder, std::chrono::milliseconds(-1)));
    CHECK(remove_temp_folder(folder, seconds(20)));
}
