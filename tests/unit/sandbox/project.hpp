// A workspace with trusted files at several depths.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include "host/sandbox/trusted_walk.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

namespace toolhost::test {

namespace fs = boost::filesystem;
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
    [[nodiscard]] Strings found() const {
        return shortened(sandbox::find_nested_files(closed).paths);
    }
    [[nodiscard]] Strings shortened(const Strings& paths) const {
        Strings out;
        for (const auto& path : paths) out.push_back(path.substr(workspace.path().size() + 1));
        return out;
    }
    sandbox::Confinement closed;
};

// Runs `attempt` as a user without privileges, who owns the workspace.
inline int try_as_user(const Project& project, const std::function<int()>& attempt) {
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

}  // namespace toolhost::test
