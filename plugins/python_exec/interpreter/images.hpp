// Pictures that code has left in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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

// Those that are new or changed since `before`, in the order of their names. `notes` says what was
// left out, and why.
std::vector<Image> new_images(const std::filesystem::path& folder, const Pictures& before,
                              std::size_t most, std::uintmax_t most_bytes,
                              std::vector<std::string>& notes);

}  // namespace python_exec
