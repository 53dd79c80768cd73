// Converts a request's paths for libgit2, and finds those that match nothing.
#pragma once

#include <string>
#include <vector>

#include "actions/request.hpp"

namespace git {

// Escapes a checked path as a pathspec. libgit2 parses one like a line of .gitignore: "." would
// match nothing, "!a" would exclude a, and "#a" would be a comment, which matches everything.
[[nodiscard]] std::string as_pathspec(const std::string& path);

// The request's paths, checked; includes `path`.
[[nodiscard]] std::vector<std::string> named_paths(const Call& call);

// Whether it contains * ? or [ and may match several names.
[[nodiscard]] bool is_pattern(const std::string& path);

// The paths that match no file of the index, the tree or the changes.
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_index* index);
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_tree* tree);
[[nodiscard]] std::vector<std::string> unmatched(std::vector<std::string> paths, git_diff* diff);

// Fails if there is a path without a match, which is a mistake instead of an empty success.
void need_matched(const std::vector<std::string>& missed, const std::string& where);

}  // namespace git
