// Pictures that code has left in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace python_exec {

struct Image {
    std::string name, format, bytes;
};

// When each picture in a folder (not in those below it) was written, and how large it is.
using Pictures = std::map<std::string, std::pair<std::int64_t, std::uintmax_t>>;
Pictures pictures_in(const std::filesystem::path& folder);

// What counts as this run's pictures, and how many of them are wanted.
struct Wanted {
    Pictures before;  // those that are the same as then are not new
    // The names that the code is known to have written; none: every new picture is its own. Runs at
    // the same time share the folder, and would else take each other's.
    std::optional<std::set<std::string>> own;
    std::size_t most = 0;
    std::uintmax_t most_bytes = 0;
};

// Those that are new or changed, in the order of their names. `notes` says what was left out, and
// why.
std::vector<Image> new_images(const std::filesystem::path& folder, const Wanted& wanted,
                              std::vector<std::string>& notes);

}  // namespace python_exec
