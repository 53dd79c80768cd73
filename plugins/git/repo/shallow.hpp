// Commits whose parents were left out when the repository was cloned (--depth).
#pragma once

#include <git2.h>

#include <set>
#include <string>

namespace git {

// Their hashes; none in a whole repository.
[[nodiscard]] std::set<std::string> shallow_commits(git_repository* repository);

}  // namespace git
