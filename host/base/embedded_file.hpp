// A file embedded in the program (cmake/ToolhostEmbed.cmake).
#pragma once

#include <string_view>

namespace toolhost {

struct EmbeddedFile {
    std::string_view name;  // path below the embedded folder: "default.yml", "cpp/CMakeLists.txt"
    std::string_view content;
};

}  // namespace toolhost
