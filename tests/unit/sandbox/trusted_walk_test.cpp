// Finds trusted files below a writable folder within limits, and protects them.
#include "host/sandbox/trusted_walk.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "host/os/descriptor.hpp"
#include "host/sandbox/privileges.hpp"
#include "host/sandbox/protected_mounts.hpp"
#include "host/sandbox/protected_state.hpp"
#include "tests/unit/sandbox/project.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;
using namespace toolhost::test;
namespace fs = boost::filesystem;

TEST_CASE("trusted files are found in every folder where they take effect") {
    const Project project;
    const Strings expected{"a/.vscode", "a/b/c/.envrc", "module/.git", "sub/.git/config",
                           "sub/.git/hooks"};
    CHECK(project.found() == expected);
    CHECK(find_nested_files(project.closed).complete);
    // Not through links, and not a folder that was granted by its own name.
    REQUIRE(::symlink(project.outside.path().c_str(), (project.workspace / "out").c_str()) == 0);
    project.outside.write(".envrc", "text");
    CHECK(project.found() == expected);
    auto granted = project.closed;
    granted.write.push_back(project.workspace / "a/.vscode/x");
    CHECK(project.shortened(find_nested_files(granted).paths) ==
          Strings{"a/b/c/.envrc", "module/.git", "sub/.git/config", "sub/.git/hooks"});
}

TEST_CASE("the walk ends at its limits and reports it") {
    const Project project;
    SUBCASE("depth") {
        std::string path = "x";
        for (std::size_t i = 1; i < kMaxWalkedDepth; ++i) path += "/x";
        project.write(path + "/.envrc");
        CHECK(find_nested_files(project.closed).complete);
        CHECK(project.found().back() == path + "/.envrc");
        project.write(path + "/x/.envrc");
        CHECK_FALSE(find_nested_files(project.closed).complete);
    }
    SUBCASE("files") {
        for (std::size_t i = 0; i <= kMaxNestedFiles; ++i)
            project.write("n" + std::to_string(i) + "/.envrc");
        const auto found = find_nested_files(project.closed);
        CHECK(found.paths.size() == kMaxNestedFiles);
        CHECK_FALSE(found.complete);
    }
    SUBCASE("folders, and those near the top come first") {
        for (int i = 0; i < 200; ++i)
            for (int k = 0; k < 101; ++k)
                fs::create_directories(fs::path(project.workspace / "many") / std::to_string(i) /
                                       std::to_string(k));
        const auto start = std::chrono::steady_clock::now();
        const auto found = find_nested_files(project.closed, {.most = std::chrono::minutes(1)});
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - start);
        MESSAGE(found.folders << " folders took " << took.count() << " ms");
        CHECK(found.folders == kMaxWalkedFolders);
        CHECK_FALSE(found.complete);
        CHECK(found.paths.size() >= 4);  // "a/b/c" has the same depth
        CHECK(std::ranges::binary_search(found.paths, project.workspace / "sub/.git/hooks"));
    }
}

TEST_CASE("the walk reports that it could not read something") {
    const Project project;
    SUBCASE("its time was over") {
        const auto found = find_nested_files(project.closed, {.most = std::chrono::seconds(0)});
        CHECK_FALSE(found.complete);
        CHECK(found.paths.empty());
    }
    SUBCASE("no descriptors are left") {
        CHECK(try_as_user(project, [&] {
                  const int next = ::dup(STDIN_FILENO);
                  ::close(next);
                  for (const rlim_t more : {0u, 1u}) {  // for the granted folder only
                      const rlimit few{static_cast<rlim_t>(next) + more,
                                       static_cast<rlim_t>(next) + 1};
                      if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return 98;
                      if (find_nested_files(project.closed).complete) return 1;
                  }
                  return 0;
              }) == 0);
    }
    SUBCASE("a path is too long") {
        const std::string name(250, 'x');
        os::Descriptor folder(::open(project.workspace.path().c_str(), O_PATH | O_CLOEXEC));
        for (std::size_t length = 0; length <= PATH_MAX; length += name.size()) {
            REQUIRE(::mkdirat(folder.get(), name.c_str(), 0755) == 0);
            folder = os::Descriptor(::openat(folder.get(), name.c_str(), O_PATH | O_CLOEXEC));
        }
        os::Descriptor file(::openat(folder.get(), ".envrc", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
        REQUIRE(file);
        const auto found = find_nested_files(project.closed);
        CHECK_FALSE(found.complete);
        CHECK(found.paths.size() == 5);  // all others are found
        // Made short enough to be removed.
        std::string half = project.workspace.path();
        for (int i = 0; i < 9; ++i) half += '/' + name;
        REQUIRE(::rename(half.c_str(), (project.workspace / "half").c_str()) == 0);
    }
    SUBCASE("a granted file, or a missing granted folder, is not an error") {
        auto granted = project.closed;
        granted.write.push_back(project.workspace / "file");
        granted.write.push_back(project.workspace / "missing");
        CHECK(find_nested_files(granted).complete);
    }
}

TEST_CASE("root without capabilities protects a locked folder like others") {
    const Project project;
    const auto folder = project.workspace / "a/b";
    for (const mode_t mode : {0000u, 0400u, 0100u}) {
        CAPTURE(mode);
        REQUIRE(::chmod(folder.c_str(), mode) == 0);
        const pid_t child = ::fork();
        if (child == 0) {
            if (!drop_capabilities()) ::_exit(98);
            ::_exit(find_nested_files(project.closed).locked == Strings{folder} ? 0 : 1);
        }
        CHECK(end_of(child) == 0);
    }
    REQUIRE(::chmod(folder.c_str(), 0755) == 0);
}

TEST_CASE("nested trusted files are read-only, and files beside them are writable") {
    if (!whole_sandbox()) return;
    if (!mount_namespaces_work()) {
        MESSAGE("SKIP: no mount namespace can be had");
        return;
    }
    const Project project;
    const auto state = ProtectedState(
        project.closed, std::make_shared<NestedFiles>(find_nested_files(project.closed)));
    const auto closed = state.with_nested(project.closed);
    auto needs = project.needs;
    needs.own_mounts = true;
    const auto at = [&](const char* name) { return project.workspace / name; };
    const auto attempt = [&](const std::function<int()>& what) {
        return try_closed(closed, needs, what);
    };
    for (const char* name : {"sub/.git/config", "sub/.git/hooks/new", "a/b/c/.envrc", "module/.git",
                             "a/.vscode/tasks.json"}) {
        CAPTURE(name);
        CHECK(attempt([&] { return write_it(at(name)); }) == EROFS);
    }
    CHECK(attempt([&] { return outcome(::rename(at("sub").c_str(), at("s").c_str())); }) == EBUSY);
    CHECK(attempt([&] { return write_it(at("sub/plain")); }) == 0);
    CHECK(attempt([&] { return write_it(at("sub/.git/index")); }) == 0);
    CHECK(attempt([&] { return write_it(at("a/b/new")); }) == 0);
}

TEST_CASE("a locked folder is protected as a whole, because its content is unknown") {
    const Project project;
    const auto locks = [&](const std::string& name, mode_t mode) {
        const auto folder = project.workspace.path() + name;
        return try_as_user(project, [&] {
            if (::chmod(folder.c_str(), mode) != 0) return 98;
            const auto found = find_nested_files(project.closed);
            const auto state = ProtectedState(project.closed, std::make_shared<NestedFiles>(found));
            bool held = false;
            for (const auto& entry : protected_entries(state.with_nested(project.closed)))
                held = held || (entry.path == folder && entry.read_only);
            (void)::chmod(folder.c_str(), 0755);
            return held ? 0 : 1;
        });
    };
    for (const mode_t mode : {0000u, 0400u, 0100u}) {
        CAPTURE(mode);
        CHECK(locks("/a/b", mode) == 0);
    }
    CHECK(locks("/sub/.git", 0000) == 0);
    CHECK(locks("", 0000) == 0);  // the granted folder itself
    CHECK(locks("/a", 0755) == 1);
}
