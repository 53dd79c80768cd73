// Checks that everything a repository refers to is in the workspace. The sandbox enforces it too;
// these checks give clear messages, and work without a sandbox.
#pragma once

#include <git2.h>
#include <filesystem>
#include <string_view>

namespace git {

// The path with all symbolic links resolved, as far as it exists.
[[nodiscard]] std::filesystem::path resolved(const std::filesystem::path& path);

[[nodiscard]] bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

// Denies `path_not_allowed` if the path leads out of the workspace, naming `what`.
void keep_in(const std::filesystem::path& path, const std::filesystem::path& workspace,
             std::string_view what);

// The folder with the repository's data: `.git`, or the folder that it names.
[[nodiscard]] std::filesystem::path git_folder(const std::filesystem::path& dot_git);

// Checks the references in that folder: commondir, objects/info/alternates, links.
void check_git_folder(const std::filesystem::path& folder, const std::filesystem::path& workspace);

// Checks paths in its configuration: core.worktree, include.path and other files.
void check_config(git_repository* repository, const std::filesystem::path& workspace);

}  // namespace git
