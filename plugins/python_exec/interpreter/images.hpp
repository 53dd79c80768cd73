// Finds pictures that the code has saved in a folder.
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

// The modification time and size of each picture in a folder, without subfolders.
using Pictures = std::map<std::string, std::pair<std::int64_t, std::uintmax_t>>;
Pictures pictures_in(const std::filesystem::path& folder);

// Which pictures belong to this run, and the maximum number.
struct Wanted {
    Pictures before;  // unchanged ones are not new
    // Names that the code is known to have written; if unset, every new picture is its own.
    // Concurrent runs share the folder and would otherwise take each other's pictures.
    std::optional<std::set<std::string>> own;
    std::size_t most = 0;
    std::uintmax_t most_bytes = 0;
};

// The new or changed ones, sorted by name. `notes` lists what was left out, and why.
std::vector<Image> new_images(const std::filesystem::path& folder, const Wanted& wanted,
                              std::vector<std::string>& notes);

}  // namespace python_exec
