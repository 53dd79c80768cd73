// Trusted files in the folders below a writable one: found within bounds, and held.
#include "host/sandbox/trusted_walk.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "host/sandbox/protected_mounts.hpp"
#include "host/sandbox/protected_state.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;
using namespace toolhost::test;
namespace fs = boost::filesystem;

namespace {

using Strings = std::vector<std::string>;

struct Project : Scene {
    Project() {
        closed = with(false, false, true);
        closed.trusted_names = {".git/config", ".git/hooks", ".envrc", ".vscode",
                                ".config/deep/er"};
        closed.trusted_files = {workspace / ".envrc"};
        write("sub/.git/config");
        write("sub/.git/hooks/post-commit");
        write("sub/.git/objects/.envrc");
        write("sub/plain");
        write("a/b/c/.envrc");
        write("a/.vscode/.envrc");
        write("a/.config/deep/other");
        write(".envrc");
        write("module/.git");
    }
    void write(const std::string& name) const {
        fs::create_directories(fs::path(workspace / name).parent_path());
        workspace.write(name, "text");
    }
    [[nodiscard]] Strings found() const { return shortened(find_nested_files(closed).paths); }
    [[nodiscard]] Strings shortened(const Strings& paths) const {
        Strings out;
        for (const auto& path : paths) out.push_back(path.substr(workspace.path().size() + 1));
        return out;
    }
    Confinement closed;
};

// `attempt` as a user without privileges, to whom the workspace belongs.
int try_as_user(const Project& project, const std::function<int()>& attempt) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0) {
        for (fs::recursive_directory_iterator it(project.workspace.path()), end; it != end; ++it)
            REQUIRE(::lchown(it->path().c_str(), kNobody, kNobody) == 0);
        REQUIRE(::chown(project.workspace.path().c_str(), kNobody, kNobody) == 0);
    }
    const pid_t child = ::fork();
    if (child > 0) return end_of(child);
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(99);
    ::_exit(attempt());
}

}  // namespace

TEST_CASE("trusted files are found in any folder, and none where they do not count") {
    const Project project;
    const Strings expected{"a/.vscode", "a/b/c/.envrc", "module/.git", "sub/.git/config",
                           "sub/.git/hooks"};
    CHECK(project.found() == expected);
    CHECK(find_nested_files(project.closed).complete);
    // Not through links, and nothing that was granted by its own name.
    REQUIRE(::symlink(project.outside.path().c_str(), (project.workspace / "out").c_str()) == 0);
    project.outside.write(".envrc", "text");
    CHECK(project.found() == expected);
    auto granted = project.closed;
    granted.write.push_back(project.workspace / "a/.vscode/x");
    CHECK(project.shortened(find_nested_files(granted).paths) ==
          Strings{"a/b/c/.envrc", "module/.git", "sub/.git/config", "sub/.git/hooks"});
}

TEST_CASE("the walk ends at its bounds and says so") {
    const Project project;
    SUBCASE("depth") {
        std::string path = "x";
        for (std::size_t i = 1; i < kMostWalkedDepth; ++i) path += "/x";
        project.write(path + "/.envrc");
        CHECK(find_nested_files(project.closed).complete);
        CHECK(project.found().back() == path + "/.envrc");
        project.write(path + "/x/.envrc");
        CHECK_FALSE(find_nested_files(project.closed).complete);
    }
    SUBCASE("files") {
        for (std::size_t i = 0; i <= kMostNestedFiles; ++i)
            project.write("n" + std::to_string(i) + "/.envrc");
        const auto found = find_nested_files(project.closed);
        CHECK(found.paths.size() == kMostNestedFiles);
        CHECK_FALSE(found.complete);
    }
    SUBCASE("folders, and those near the top come first") {
        for (int i = 0; i < 200; ++i)
            for (int k = 0; k < 101; ++k)
                fs::create_directories(fs::path(project.workspace / "many") / std::to_string(i) /
                                       std::to_string(k));
        const auto start = std::chrono::steady_clock::now();
        const auto found = find_nested_files(project.closed);
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - start);
        MESSAGE(found.folders << " folders took " << took.count() << " ms");
        CHECK(found.folders == kMostWalkedFolders);
        CHECK_FALSE(found.complete);
        CHECK(found.paths.size() >= 4);  // "a/b/c" is as deep as those
        CHECK(std::ranges::binary_search(found.paths, project.workspace / "sub/.git/hooks"));
    }
}

TEST_CASE("nested trusted files are held, and what is beside them can be written") {
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
            for (const auto& entry : held_entries(state.with_nested(project.closed)))
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

TEST_CASE("what was found stays known, and what is new is told of") {
    const Project project;
    TrustedTree tree(project.closed);
    const auto first = tree.look();
    const ProtectedState before(project.closed, first);
    CHECK(ProtectedState(project.closed, tree.look()) == before);
    project.write("new/.git/config");
    fs::remove_all(project.workspace / "a/b");
    NestedFilesPtr now;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    do {
        now = tree.look();  // it rests between two walks
    } while (now == first && std::chrono::steady_clock::now() < end);
    CHECK(project.shortened(now->paths) == Strings{"a/.vscode", "module/.git", "new/.git/config",
                                                   "sub/.git/config", "sub/.git/hooks"});
    const ProtectedState after(project.closed, now);
    CHECK_FALSE(after == before);
    CHECK(after.new_since(before, project.closed) ==
          Strings{project.workspace / "new/.git/config"});
    // Where a walk ends before it comes there, too.
    for (std::size_t i = 0; i <= kMostNestedFiles; ++i)
        project.write("." + std::to_string(i) + "/.envrc");
    while (now->complete && std::chrono::steady_clock::now() < end) now = tree.look();
    CHECK_FALSE(now->complete);
    CHECK(now->paths.size() == kMostNestedFiles);
    CHECK(std::ranges::binary_search(now->paths, project.workspace / "new/.git/config"));
    CHECK(std::ranges::binary_search(now->paths, project.workspace / "sub/.git/hooks"));
}

TEST_CASE("workers that write the same folders share what is known of them") {
    const Project project;
    TrustedTrees trees;
    const auto one = trees.of(project.closed);
    auto other = project.closed;
    other.network = true;
    CHECK(trees.of(other) == one);
    other.write.push_back(project.outside.path());
    CHECK_FALSE(trees.of(other) == one);
    CHECK(trees.of(project.strict)->look()->paths.empty());
}
