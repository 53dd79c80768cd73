// The entries of a folder, or of a whole tree: filtered, sorted, bounded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "access/access.hpp"
#include "access/folder.hpp"

namespace file_operations {

enum class SortBy { name, size, time, kind };

struct ListQuestion {
    const Access& access;
    std::string path = ".";
    std::string pattern{};  // empty: all
    std::string kind{};     // "file", "folder", "link"; empty: all
    int depth = 1;
    bool hidden = false;
    SortBy sort = SortBy::name;
    bool reverse = false;
    std::size_t max_results = 1000;
    std::function<bool()> cancelled{};
    std::function<void(std::uint64_t entries)> progress{};
};

struct ListedEntry {
    std::string path;   // shown
    std::string below;  // from the listed folder, as bytes
    Kind kind = Kind::other;
    std::uint64_t size = 0;
    std::int64_t modified = 0;
    mode_t mode = 0;
    std::string target;     // of a link
    bool is_listed = true;  // false: only on the way to one that is
};

struct Listed {
    std::string path;
    std::vector<ListedEntry> entries;  // in the order asked for, and folders on the way to them
    std::uint64_t files = 0, folders = 0, bytes = 0;  // of the listed ones
    bool more = false;
    std::vector<std::string> notes;
};

[[nodiscard]] Outcome<Listed> list_path(const ListQuestion& question);

// As a tree, each folder's entries in the listing's order.
[[nodiscard]] std::string tree_text(const Listed& listed);
// One line an entry: mode, size, time, path.
[[nodiscard]] std::string flat_text(const Listed& listed);

[[nodiscard]] std::string_view name_of(Kind kind);

}  // namespace file_operations
