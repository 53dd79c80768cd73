// Protects paths inside of a writable folder: by mounts, or by Landlock if mounts are unavailable.
#include "host/sandbox/protected_mounts.hpp"

#include <sys/stat.h>

#include "host/sandbox/protected_state.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;
using namespace toolhost::test;
namespace fs = boost::filesystem;

namespace {

// A home with the host's configuration behind a link, and other files.
struct Home : Scene {
    Home() {
        fs::create_directories(workspace / "dotfiles/config/own");
        workspace.write("dotfiles/config/own/file", "own");
        workspace.write("dotfiles/other", "text");
        REQUIRE(::symlink("dotfiles/config", (workspace / ".config").c_str()) == 0);
        workspace.write(".trusted", "text");
        closed = with(false, false, true);
        closed.host_files = {workspace / ".config/own/"};
        closed.trusted_files = {workspace / ".trusted", workspace / ".missing"};
    }
    [[nodiscard]] int attempt(const std::function<int()>& what, bool mounts) const {
        auto wanted = needs;
        wanted.own_mounts = mounts;
        return try_closed(closed, wanted, what);
    }
    Confinement closed;
};

int move_it(const std::string& from, const std::string& to) {
    return outcome(::rename(from.c_str(), to.c_str()));
}

}  // namespace

TEST_CASE("all entries on the way to a protected path inside of the folder are protected") {
    const Home home;
    std::vector<std::pair<std::string, bool>> found;
    for (const auto& entry : protected_entries(home.closed))
        found.emplace_back(entry.path.substr(home.workspace.path().size()), entry.read_only);
    CHECK(found == std::vector<std::pair<std::string, bool>>{{"/.config", false},
                                                             {"/.trusted", true},
                                                             {"/dotfiles", false},
                                                             {"/dotfiles/config", false},
                                                             {"/dotfiles/config/own", true}});
    auto elsewhere = home.closed;
    elsewhere.write = {home.outside.path()};
    CHECK(protected_entries(elsewhere).empty());
}

TEST_CASE("mounts make them read-only, and all other files are writable") {
    if (!whole_sandbox()) return;
    if (!mount_namespaces_work()) {
        MESSAGE("SKIP: no mount namespace can be had");
        return;
    }
    const Home home;
    const auto at = [&](const char* name) { return home.workspace / name; };
    const auto attempt = [&](const std::function<int()>& what) { return home.attempt(what, true); };
    CHECK(attempt([&] { return write_it(at(".config/own/file")); }) == EROFS);
    CHECK(attempt([&] { return write_it(at("dotfiles/config/own/new")); }) == EROFS);
    CHECK(attempt([&] { return write_it(at(".trusted")); }) == EROFS);
    CHECK(attempt([&] { return outcome(::chmod(at(".trusted").c_str(), 0777)); }) == EROFS);
    for (const char* name : {".config", "dotfiles", "dotfiles/config", ".trusted"}) {
        CAPTURE(name);
        CHECK(attempt([&] { return move_it(at(name), at(name) + "-moved"); }) == EBUSY);
    }
    CHECK(attempt([&] { return outcome(::unlink(at(".config").c_str())); }) == EBUSY);
    CHECK(attempt([&] { return outcome(::link(at(".trusted").c_str(), at("l").c_str())); }) ==
          EXDEV);
    CHECK(attempt([&] { return read_it(at(".config/own/file")); }) == 0);
    CHECK(attempt([&] { return write_it(at("new")); }) == 0);
    CHECK(attempt([&] { return move_it(at("new"), at("other")); }) == 0);
    CHECK(attempt([&] { return write_it(at("dotfiles/new")); }) == 0);
    // A process that is already in a folder on the way cannot bypass the mounts.
    CHECK(try_closed(
              home.closed, home.needs, [] { return write_it("own/new"); },
              [&] {
                  if (::chdir(at("dotfiles/config").c_str()) != 0) ::_exit(kNotEntered);
              }) == EROFS);
    // The process itself does not notice it.
    CHECK(write_it(at(".trusted")) == 0);
}

TEST_CASE("a process sees only its own part of a hidden folder") {
    if (!whole_sandbox() || !mount_namespaces_work()) return;
    const Home home;
    for (const char* folder : {"all/own", "all/others", "all/copies/library"})
        fs::create_directories(home.workspace / folder);
    home.workspace.write("all/others/mark", "text");
    home.workspace.write("all/copies/library/file", "text");
    const auto at = [&](const char* name) { return home.workspace / name; };
    auto needs = home.needs;
    needs.hidden = at("all");
    needs.temp = at("all/own");
    needs.load = {at("all/copies/library")};
    const auto readable = home.with(false, false);
    auto writable = home.closed;
    writable.host_files.push_back(at("all/"));
    for (const auto& confinement : {readable, writable}) {
        const auto attempt = [&](const std::function<int()>& what) {
            return try_closed(confinement, needs, what);
        };
        CHECK(attempt([&] { return read_it(at("all/others/mark")); }) == ENOENT);
        CHECK(attempt([&] { return write_it(at("all/own/new")); }) == 0);
        CHECK(attempt([&] { return read_it(at("all/copies/library/file")); }) == 0);
        CHECK(attempt([&] { return write_it(at("all/copies/library/file")); }) != 0);
        CHECK(attempt([&] { return write_it(at("all/new")); }) != 0);
        CHECK(attempt([&] { return move_it(at("all"), at("moved")); }) != 0);
    }
    CHECK(fs::exists(at("all/own/new")));
    CHECK_FALSE(fs::exists(at("all/new")));
}

TEST_CASE("without mounts Landlock opens the folder around the host's own files") {
    if (!whole_sandbox()) return;
    const Home home;
    home.workspace.write("file", "text");
    fs::create_directories(home.workspace / "sub");
    const auto at = [&](const char* name) { return home.workspace / name; };
    const auto attempt = [&](const std::function<int()>& what) {
        return home.attempt(what, false);
    };
    CHECK(attempt([&] { return write_it(at(".config/own/file")); }) == EACCES);
    CHECK(attempt([&] { return write_it(at("dotfiles/config/own/new")); }) == EACCES);
    for (const char* name : {".config", "dotfiles", "dotfiles/config"}) {
        CAPTURE(name);
        CHECK(attempt([&] { return move_it(at(name), at("sub/moved")); }) == EACCES);
    }
    CHECK(attempt([&] { return outcome(::unlink(at(".config").c_str())); }) == EACCES);
    CHECK(attempt([&] { return read_it(at(".config/own/file")); }) == 0);
    CHECK(attempt([&] { return write_it(at("file")); }) == 0);
    CHECK(attempt([&] { return write_it(at("dotfiles/other")); }) == 0);
    CHECK(attempt([&] { return write_it(at("sub/new")); }) == 0);
    // The disadvantage: no new entries.
    CHECK(attempt([&] { return write_it(at("new")); }) == EACCES);
    CHECK(attempt([&] { return write_it(at(".trusted")); }) == 0);
}

TEST_CASE("a folder with too many entries is not opened child by child") {
    if (!whole_sandbox()) return;
    const Home home;
    for (int i = 0; i < 4200; ++i) home.workspace.write("f" + std::to_string(i), "");
    CHECK(home.attempt([] { return 0; }, false) == kNotEntered);
    CHECK(home.attempt([] { return 0; }, true) == (mount_namespaces_work() ? 0 : kNotEntered));
}

TEST_CASE("a missing folder of the host is created only where a tool could create it") {
    const Home home;
    auto confinement = home.closed;
    confinement.host_files = {home.workspace / ".local/share/own/", home.workspace / "missing.yml",
                              home.outside / "cache/"};
    REQUIRE(make_host_files(confinement));
    struct stat info {};
    REQUIRE(::stat((home.workspace / ".local/share/own").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    CHECK_FALSE(fs::exists(home.workspace / "missing.yml"));
    CHECK_FALSE(fs::exists(home.outside / "cache"));
    // Files are created on request only.
    confinement.host_files.push_back(home.outside / "g.yml");
    confinement.created_files = {home.workspace / "missing.yml", home.outside / "g.yml"};
    REQUIRE(make_host_files(confinement));
    REQUIRE(::stat((home.workspace / "missing.yml").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
    CHECK(info.st_size == 0);
    CHECK_FALSE(fs::exists(home.outside / "g.yml"));
    // A file in place of a folder cannot be fixed, so no tool runs.
    home.workspace.write("plain", "");
    confinement.host_files = {home.workspace / "plain/own/"};
    CHECK_FALSE(make_host_files(confinement));
}

TEST_CASE("a file that was replaced or created is noticed") {
    const Home home;
    const ProtectedState before(home.closed);
    CHECK(ProtectedState(home.closed) == before);
    home.workspace.write(".trusted", "other");  // the same file
    CHECK(ProtectedState(home.closed) == before);
    home.workspace.write(".missing", "");
    const ProtectedState more(home.closed);
    CHECK_FALSE(more == before);
    CHECK(more.new_since(before, home.closed) ==
          std::vector<std::string>{home.workspace / ".missing"});
    home.workspace.write("new", "");
    REQUIRE(move_it(home.workspace / "new", home.workspace / ".trusted") == 0);
    const ProtectedState replaced(home.closed);
    CHECK_FALSE(replaced == more);
    CHECK(replaced.new_since(more, home.closed).empty());
}
