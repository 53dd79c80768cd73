#include "host/loading/private_copy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/loading/library_files.hpp"
#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using toolhost::test::TempFolder;

namespace {

std::string hash_of(const std::string& path) {
    auto file = open_for_reading(path);
    return file ? hash_file(file.get()) : "";
}

const std::string kNoIdentity(64, '0');  // of no library

registry::Library flat(const std::string& path) {
    return {path, hash_of(path), 0, false, false, *library_identity(path, false)};
}

registry::Library in_own_folder(const std::string& path) {
    return {path, hash_of(path), 0, true, false, *library_identity(path, true)};
}

}  // namespace

TEST_CASE("the hash is SHA-256") {
    ContentHash hash;
    hash.add("a");
    hash.add("bc");
    CHECK(hash.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a copy is named by its content and created once") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    PrivateCopies copies(base.path());
    auto library = flat(folder / "p.so");
    auto first = copies.of(library);
    REQUIRE(first);
    CHECK(first->starts_with(base.path() + '/'));
    CHECK(first->ends_with("/p.so"));
    struct stat before {
    }, after{};
    REQUIRE(::stat(first->c_str(), &before) == 0);
    CHECK(*copies.of(library) == *first);
    REQUIRE(::stat(first->c_str(), &after) == 0);
    CHECK(before.st_ino == after.st_ino);
}

TEST_CASE("a damaged copy is replaced") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    PrivateCopies copies(base.path());
    auto library = flat(folder / "p.so");
    auto path = copies.of(library);
    REQUIRE(path);
    REQUIRE(::chmod(path->c_str(), 0700) == 0);
    boost::filesystem::ofstream(*path) << "other";
    CHECK(hash_of(*copies.of(library)) == library.sha256);
}

TEST_CASE(
    "a plugin's own folder is copied completely, and a change of any file gives another copy") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    folder.write("libpart.so", "part");
    PrivateCopies copies(base.path());
    auto library = in_own_folder(folder / "p.so");
    auto first = copies.of(library);
    REQUIRE(first);
    auto beside = boost::filesystem::path(*first).parent_path() / "libpart.so";
    CHECK(hash_of(beside.string()) == hash_of(folder / "libpart.so"));
    folder.write("libpart.so", "another part");
    CHECK(*copies.of(library) == *first);  // as scanned
    auto second = copies.of(in_own_folder(folder / "p.so"));
    REQUIRE(second);
    CHECK(*second != *first);
    boost::filesystem::rename(folder / "libpart.so", folder / "libother.so");
    auto third = copies.of(in_own_folder(folder / "p.so"));
    REQUIRE(third);
    CHECK(*third != *second);
}

TEST_CASE("a private library that was never scanned is not copied") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    folder.write("libpart.so", "part");
    PrivateCopies copies(base.path());
    const auto library = in_own_folder(folder / "p.so");
    folder.write("libpart.so", "another part");
    auto copied = copies.of(library);
    REQUIRE_FALSE(copied);
    CHECK(copied.error().message.find("changed after it was scanned") != std::string::npos);
    CHECK(boost::filesystem::is_empty(base.path()));
    auto nameless = library;
    nameless.identity = "../elsewhere";
    CHECK_FALSE(copies.of(nameless));
}

TEST_CASE("a damaged private library in a copy is detected, and the copy replaced") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    folder.write("libpart.so", "part");
    PrivateCopies copies(base.path());
    const auto library = in_own_folder(folder / "p.so");
    const auto first = copies.of(library);
    REQUIRE(first);
    const auto part = boost::filesystem::path(*first).parent_path() / "libpart.so";
    boost::filesystem::remove(part);
    boost::filesystem::ofstream(part) << "other";
    CHECK(*copies.of(library) == *first);
    CHECK(hash_of(part.string()) == hash_of(folder / "libpart.so"));
}

TEST_CASE("links that leave the plugin's folder are refused, and nothing is copied") {
    TempFolder folder, base, outside;
    outside.write("secret", "the host's");
    folder.write("p.so", "content");
    PrivateCopies copies(base.path());
    auto library = in_own_folder(folder / "p.so");
    const std::string up = "../" + boost::filesystem::path(outside.path()).filename().string();
    for (const auto& target :
         {outside / "secret", up + "/secret", std::string("/proc/self/environ"),
          std::string("/proc/self/root/etc/passwd")}) {
        CAPTURE(target);
        REQUIRE(::symlink(target.c_str(), (folder / "data").c_str()) == 0);
        auto copied = copies.of(library);
        REQUIRE_FALSE(copied);
        CHECK(copied.error().code == ErrorCode::plugin_unavailable);
        CHECK(copied.error().message.find("leaves the plugin's folder") != std::string::npos);
        CHECK(boost::filesystem::is_empty(base.path()));
        REQUIRE(::unlink((folder / "data").c_str()) == 0);
    }
    // Links to folders outside are refused too.
    REQUIRE(::symlink(outside.path().c_str(), (folder / "data").c_str()) == 0);
    CHECK_FALSE(copies.of(library));
}

TEST_CASE("links within the plugin's folder are copied as their targets") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    folder.write("libpart.so.1", "part");
    REQUIRE(::symlink("libpart.so.1", (folder / "libpart.so").c_str()) == 0);
    PrivateCopies copies(base.path());
    auto library = in_own_folder(folder / "p.so");
    auto copied = copies.of(library);
    REQUIRE(copied);
    const auto part = boost::filesystem::path(*copied).parent_path() / "libpart.so";
    CHECK_FALSE(boost::filesystem::is_symlink(part));
    CHECK(hash_of(part.string()) == hash_of(folder / "libpart.so.1"));
}

TEST_CASE("only regular files are copied, and at most as many as a plugin may have") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    PrivateCopies copies(base.path());
    auto library = in_own_folder(folder / "p.so");
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK_FALSE(copies.of(library));
    REQUIRE(::unlink((folder / "pipe").c_str()) == 0);
    folder.write("huge", "");
    REQUIRE(::truncate((folder / "huge").c_str(), off_t{2} << 30) == 0);
    CHECK_FALSE(copies.of(library));
    REQUIRE(::unlink((folder / "huge").c_str()) == 0);
    CHECK(copies.of(library));
    for (int i = 0; i < 256; ++i) folder.write("part" + std::to_string(i), "x");
    CHECK_FALSE(library_identity(library.path, true));
    TempFolder without;
    CHECK_FALSE(PrivateCopies(without.path()).of(library));
}

TEST_CASE("a library that is a link to a device is not read") {
    TempFolder folder, base;
    REQUIRE(::symlink("/dev/zero", (folder / "p.so").c_str()) == 0);
    PrivateCopies copies(base.path());
    CHECK_FALSE(copies.of({folder / "p.so", "00", 0, false, false, kNoIdentity}));
}

TEST_CASE("the host's own files are trusted only if no other user could write them") {
    TempFolder folder;
    folder.write("real", "text");
    std::string text;
    CHECK(read_own_file(folder / "real", 100, text));
    CHECK(text == "text");
    REQUIRE(::symlink("real", (folder / "link").c_str()) == 0);
    CHECK_FALSE(read_own_file(folder / "link", 100, text));
    REQUIRE(::chmod((folder / "real").c_str(), 0666) == 0);
    CHECK_FALSE(read_own_file(folder / "real", 100, text));
    if (::geteuid() == 0) {
        REQUIRE(::chmod((folder / "real").c_str(), 0644) == 0);
        REQUIRE(::chown((folder / "real").c_str(), 12345, 12345) == 0);
        CHECK_FALSE(read_own_file(folder / "real", 100, text));
    }
}

TEST_CASE("without a usable folder a temporary one is used, and removed") {
    TempFolder folder;
    folder.write("p.so", "content");
    folder.write("file", "not a folder");
    std::string path;
    {
        PrivateCopies copies(folder / "file");
        auto copied = copies.of(flat(folder / "p.so"));
        REQUIRE(copied);
        path = *copied;
        CHECK_FALSE(hash_of(path).empty());
    }
    CHECK(hash_of(path).empty());
}

TEST_CASE("a folder that others can write is not used") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    REQUIRE(::chmod(base.path().c_str(), 0777) == 0);
    PrivateCopies copies(base.path());
    auto copied = copies.of(flat(folder / "p.so"));
    REQUIRE(copied);
    CHECK_FALSE(copied->starts_with(base.path()));
}

TEST_CASE("only old copies are removed") {
    TempFolder folder, base;
    folder.write("p.so", "content");
    const std::string old = std::string(64, 'a');
    for (const auto& name : {old, std::string("somebody's")}) {
        boost::filesystem::create_directory(base / name);
        timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
        REQUIRE(::utimensat(AT_FDCWD, (base / name).c_str(), times, 0) == 0);
    }
    PrivateCopies copies(base.path());
    REQUIRE(copies.of(flat(folder / "p.so")));
    CHECK_FALSE(boost::filesystem::exists(base / old));
    CHECK(boost::filesystem::exists(base / "somebody's"));
}

TEST_CASE("a removed library is unavailable") {
    TempFolder base;
    PrivateCopies copies(base.path());
    auto copied = copies.of({"/no/such.so", "00", 0, false, false, kNoIdentity});
    REQUIRE_FALSE(copied);
    CHECK(copied.error().code == ErrorCode::plugin_unavailable);
    auto in_folder = copies.of({"/no/such/such.so", "00", 0, true, false, kNoIdentity});
    REQUIRE_FALSE(in_folder);
}
