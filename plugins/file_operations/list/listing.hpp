// The entries of a folder or of a whole tree: filtered, sorted, limited.
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
    std::string path;   // for display
    std::string below;  // relative to the listed folder, as bytes
    Kind kind = Kind::other;
    std::uint64_t size = 0;
    std::int64_t modified = 0;
    mode_t mode = 0;
    std::string target;     // of a link
    bool is_listed = true;  // false: only a parent of a listed entry
};

struct Listed {
    std::string path;
    std::vector<ListedEntry> entries;                 // in the requested order, with parent folders
    std::uint64_t files = 0, folders = 0, bytes = 0;  // of the listed entries
    bool more = false;
    std::vector<std::string> notes;
};

[[nodiscard]] Outcome<Listed> list_path(const ListQuestion& question);

// A tree with each folder's entries in the order of the listing.
[[nodiscard]] std::string tree_text(const Listed& listed);
// One line per entry: mode, size, time, path.
[[nodiscard]] std::string flat_text(const Listed& listed);

[[nodiscard]] std::string_view name_of(Kind kind);

}  // namespace file_operations
