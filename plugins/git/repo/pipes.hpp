// Named pipes and devices where git reads a file. To open a pipe waits for a writer, which no
// cancelling ends: they are found before libgit2 opens them.
#pragma once

#include <filesystem>
#include <string>

#include "repo/progress.hpp"

namespace git {

// Fails if the path, links followed, is one; `shown` is how the message names it.
void refuse_pipe(const std::filesystem::path& path, const std::string& shown);

// The whole of a regular file; empty for all else. Never waits.
[[nodiscard]] std::string read_regular(const std::filesystem::path& file);

// Fails for a .gitignore, .gitattributes or .gitmodules in the working tree that is one.
void check_rule_files(const std::filesystem::path& root, Progress& progress);
// The same for those that count for one file of it.
void check_rules_of(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace git
