// What a path list names: files as they are, folders' files, and patterns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "access/access.hpp"

namespace file_operations {

// `a.txt, src/*.{h,c}` as its parts: commas within braces do not part.
[[nodiscard]] std::vector<std::string> split_list(std::string_view list);

struct PathList {
    std::vector<std::string> paths;  // shown, in the order asked for, each once
    std::vector<std::string> notes;
    bool more = false;  // there are more than `most`
};

struct PathQuestion {
    std::string list;
    bool recursive = true;
    bool past = false;  // a name without wildcards need not be there any more
    std::size_t most = 1000;
    std::function<bool()> cancelled;
};

// A part that names nothing is a note; only if all do is it a failure.
[[nodiscard]] Outcome<PathList> expand_paths(const Access& access, const PathQuestion& question);

// Where a file is, or was: its folder need not be there either. Judged as if it were.
[[nodiscard]] Outcome<Place> find_past(const Access& access, const std::string& text);

}  // namespace file_operations
