// Whether what a repository refers to stays in the workspace. The sandbox holds a worker to it too;
// these checks say so in words, and hold where there is no sandbox.
#pragma once

#include <git2.h>
#include <filesystem>
#include <string_view>

namespace git {

// The path with every symbolic link resolved, as far as it exists.
[[nodiscard]] std::filesystem::path resolved(const std::filesystem::path& path);

[[nodiscard]] bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

// Denies `path_not_allowed`, naming what it is that leads out.
void keep_in(const std::filesystem::path& path, const std::filesystem::path& workspace,
             std::string_view what);

// The folder with the repository's data that `.git` is or names.
[[nodiscard]] std::filesystem::path git_folder(const std::filesystem::path& dot_git);

// That folder's own references: commondir, objects/info/alternates, links.
void check_git_folder(const std::filesystem::path& folder, const std::filesystem::path& workspace);

// What its configuration names: core.worktree, include.path and other files.
void check_config(git_repository* repository, const std::filesystem::path& workspace);

}  // namespace git
