// Lists one folder, and walks a tree of folders in order.
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

// Sorted by name. Contains only an errno if the folder cannot be read; ECANCELED when cancelled.
struct Listing {
    std::vector<Entry> entries;
    int error = 0;
};
[[nodiscard]] Listing list_folder(int folder, const std::function<bool()>& cancelled = {});

[[nodiscard]] Kind kind_of(const struct stat& status);

struct Found {
    std::string_view path;  // from the root
    const Entry& entry;
    int folder;  // the open folder that contains the entry
    int depth;   // 1 for entries of the start folder
};

struct Walk {
    std::size_t root = 0;
    std::string path;  // the start folder, from the root
    int max_depth = 64;
    bool hidden = false;
    // Return false to skip a folder with everything in it. Links are reported, and never followed.
    std::function<bool(const Found&)> visit;
    std::function<bool()> cancelled;
    std::function<void(const std::string& note)> note;  // for unreadable folders
};

// Visits a folder's entries by name, then its subfolders one after the other. Returns false if it
// was cancelled or `visit` set `*stop`.
bool walk_tree(const Access& access, const Walk& walk, const bool* stop = nullptr);

[[nodiscard]] std::string join_path(std::string_view folder, std::string_view name);

}  // namespace file_operations
