// Files of a plugin that has its own folder (NAME/NAME.so). Its author chose the links in it, and
// the host reads with rights that the plugin does not have. Therefore every file is opened beneath
// the folder, and a link that leaves it is an error.
#pragma once

#include <string>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::loading {

// The whole folder is copied, so its size is limited.
inline constexpr std::size_t kMaxPluginEntries = 256;
inline constexpr int kMaxPluginDepth = 16;
inline constexpr std::uintmax_t kMaxPluginBytes = 1u << 30;

struct PluginEntries {
    std::vector<std::string> names;  // relative to the folder, sorted, including folders and links
    int fault = 0;                   // errno; EFBIG for too many entries or levels
};

// Lists the folder recursively; does not follow links.
[[nodiscard]] PluginEntries list_plugin_folder(const std::string& folder);

// Opens the folder itself. A link in its place is an error, as in open_beneath().
[[nodiscard]] os::Descriptor open_plugin_folder(const std::string& folder);

// Opens `name` beneath `folder`, with O_PATH or O_RDONLY etc. in `flags`. Links are followed only
// inside the folder. On failure errno is set; see leaves_folder().
[[nodiscard]] os::Descriptor open_beneath(int folder, const std::string& name, int flags);

// Whether this errno of open_beneath() means that a link leads out of the folder.
[[nodiscard]] bool leaves_folder(int fault);

}  // namespace toolhost::loading
