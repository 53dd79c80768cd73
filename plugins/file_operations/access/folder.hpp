// Listing one folder, and walking a tree of them in order.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "access/access.hpp"

namespace file_operations {

enum class Kind { file, folder, link, other };

struct Entry {
    std::string name;
    Kind kind = Kind::other;
};

// Sorted by name. Nothing but an error's number where it cannot be read; ECANCELED when cancelled.
struct Listing {
    std::vector<Entry> entries;
    int error = 0;
};
[[nodiscard]] Listing list_folder(int folder, const std::function<bool()>& cancelled = {});

[[nodiscard]] Kind kind_of(const struct stat& status);

struct Found {
    std::string_view path;  // from the root
    const Entry& entry;
    int folder;  // the open folder that the entry is in
    int depth;   // 1 for entries of the folder that the walk began in
};

struct Walk {
    std::size_t root = 0;
    std::string path;  // where it begins, from the root
    int max_depth = 64;
    bool hidden = false;
    // False: leave out a folder with all in it. Links are named, and never followed.
    std::function<bool(const Found&)> visit;
    std::function<bool()> cancelled;
    std::function<void(const std::string& note)> note;  // unreadable folders
};

// A folder's entries by name, then its folders one after the other; false if it was cancelled or
// `visit` asked to stop by `*stop`.
bool walk_tree(const Access& access, const Walk& walk, const bool* stop = nullptr);

[[nodiscard]] std::string join_path(std::string_view folder, std::string_view name);

}  // namespace file_operations
