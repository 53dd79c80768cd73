// A repository that is in the workspace with everything that it refers to.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "repo/handle.hpp"
#include "repo/progress.hpp"

namespace git {

// Initializes libgit2 without any configuration except the repository's, and with limits that fit a
// worker's. May be called repeatedly.
void prepare_library();

class Repository {
public:
    // `path` is meant from the workspace; the repository may begin above it, but not above the
    // workspace. Denies `path_not_allowed` where anything of it lies outside.
    Repository(const std::filesystem::path& workspace, const std::string& path, Progress& progress);

    [[nodiscard]] git_repository* get() const { return handle_.get(); }
    [[nodiscard]] bool bare() const { return git_repository_is_bare(get()) != 0; }
    // The working tree, or the folder of a bare repository, with links resolved.
    [[nodiscard]] const std::filesystem::path& root() const { return root_; }
    // The same relative to the workspace: "." or "sub/folder".
    [[nodiscard]] std::string name() const;

    // Converts a path of a request for libgit2: relative to the root, and inside of it.
    [[nodiscard]] std::string path_inside(std::string_view path) const;
    // Whether the folder of such a path is in the working tree, with links resolved.
    [[nodiscard]] bool holds_folder_of(std::string_view path) const noexcept;
    // Fails without a working tree.
    void need_worktree(std::string_view action) const;
    // Checks submodules, which are repositories too, and whose .git can point anywhere.
    void check_submodules(git_index* index) const;
    // Checks a folder that contains a repository, or its .git: denies what leads out of the
    // workspace.
    void check_folder(const std::filesystem::path& folder) const;

private:
    std::filesystem::path workspace_, root_;
    RepositoryHandle handle_;
};

}  // namespace git
