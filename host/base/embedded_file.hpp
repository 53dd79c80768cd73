// A file embedded in the program (cmake/ToolhostEmbed.cmake).
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace toolhost {

struct EmbeddedFile {
    std::string_view name;  // path below the embedded folder: "default.yml", "cpp/CMakeLists.txt"
    std::string_view content;
};

// Null: there is no file of that name.
[[nodiscard]] inline const EmbeddedFile* find_file(std::span<const EmbeddedFile> files,
                                                   std::string_view name) {
    const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
    return found == files.end() ? nullptr : &*found;
}

}  // namespace toolhost
