// Detects named pipes and devices where git expects a file, before libgit2 opens them: opening a
// pipe blocks until there is a writer, and cannot be cancelled.
#pragma once

#include <filesystem>
#include <string>

#include "repo/progress.hpp"

namespace git {

// Fails if the path, with links followed, is one; messages name it `shown`.
void refuse_pipe(const std::filesystem::path& path, const std::string& shown);

// The content of a regular file; empty for everything else. Never blocks.
[[nodiscard]] std::string read_regular(const std::filesystem::path& file);

// Fails for a .gitignore, .gitattributes or .gitmodules in the working tree that is one.
void check_rule_files(const std::filesystem::path& root, Progress& progress);
// The same for those that count for one file of it.
void check_rules_of(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace git
