// The entries that a path leads through, links followed: what must stay as it is for the path to
// keep meaning the same file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost::os {

struct PathWalk {
    // Absolute, each in a folder without links: folders, links, and last what the path leads to.
    std::vector<std::string> entries;
    bool exists = false;  // false: an entry on the way is missing, and `entries` ends before it
    std::string missing;  // then what the path would lead to, if nothing on the way is a link
};

// `path` is absolute. More than 40 links are as if it did not exist.
[[nodiscard]] PathWalk walk_path(const std::string& path);

// Whether `path` is `folder` or something in it, by their text.
[[nodiscard]] bool is_within(std::string_view path, std::string_view folder);

}  // namespace toolhost::os
