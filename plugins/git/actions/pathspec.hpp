// Paths of a request as libgit2 matches them, and which of them match nothing.
#pragma once

#include <string>
#include <vector>

#include "actions/request.hpp"

namespace git {

// A checked path as a pathspec. libgit2 parses one as a line of .gitignore: "." would match
// nothing, "!a" would leave a out, and "#a" would be a comment, so that everything matched.
[[nodiscard]] std::string as_pathspec(const std::string& path);

// The request's paths, checked, as they are named; `path` counts as one of them.
[[nodiscard]] std::vector<std::string> named_paths(const Call& call);

// Whether * ? or [ make it match more than the one name.
[[nodiscard]] bool is_pattern(const std::string& path);

// Those of the paths that match no file of the index, the tree or the changes.
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_index* index);
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_tree* tree);
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_diff* diff);

// A name that matches nothing is a mistake, not an empty success: fails if there is one.
void need_matched(const std::vector<std::string>& missed, const std::string& where);

}  // namespace git
