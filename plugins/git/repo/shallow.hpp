// Commits whose parents are missing because the clone was shallow (--depth).
#pragma once

#include <git2.h>

#include <set>
#include <string>

namespace git {

// Their hashes; empty for a complete repository.
[[nodiscard]] std::set<std::string> shallow_commits(git_repository* repository);

}  // namespace git
