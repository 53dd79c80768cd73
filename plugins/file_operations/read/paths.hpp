// Expands a list of paths: files, files of folders, and patterns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "access/access.hpp"

namespace file_operations {

// Splits `a.txt, src/*.{h,c}` at commas, but not within braces.
[[nodiscard]] std::vector<std::string> split_list(std::string_view list);

struct PathList {
    std::vector<std::string> paths;  // for display, in the requested order, without duplicates
    std::vector<std::string> notes;
    bool more = false;  // there are more than `most`
};

struct PathQuestion {
    std::string list;
    bool recursive = true;
    bool past = false;  // a name without wildcards need not exist any more
    std::size_t most = 1000;
    std::function<bool()> cancelled;
};

// A part without a match becomes a note; only if no part matches it is a failure.
[[nodiscard]] Outcome<PathList> expand_paths(const Access& access, const PathQuestion& question);

// The place of a current or former file, whose folder need not exist either. Checked as if it
// existed.
[[nodiscard]] Outcome<Place> find_past(const Access& access, const std::string& text);

}  // namespace file_operations
