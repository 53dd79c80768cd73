// The files of a plugin that has its own folder (NAME/NAME.so). The author of the folder chose
// its links, and the host reads with rights that the plugin does not have: so every file is opened
// beneath the folder, and a link that leaves it is an error.
#pragma once

#include <string>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::loading {

// A plugin's folder is copied as a whole, so its size is limited.
inline constexpr std::size_t kMaxPluginEntries = 256;
inline constexpr int kMaxPluginDepth = 16;
inline constexpr std::uintmax_t kMaxPluginBytes = 1u << 30;

struct PluginEntries {
    std::vector<std::string> names;  // relative to the folder, sorted; folders and links included
    int fault = 0;                   // an errno; EFBIG: more entries or levels than allowed
};

// Lists the folder and what is below it; does not descend into links.
[[nodiscard]] PluginEntries list_plugin_folder(const std::string& folder);

// The folder itself, to open files beneath. A link in its place is an error, as in open_beneath().
[[nodiscard]] os::Descriptor open_plugin_folder(const std::string& folder);

// Opens `name` beneath `folder`, with O_PATH or O_RDONLY and the like in `flags`. Links are
// followed only as long as they stay inside. On failure errno says why; see leaves_folder().
[[nodiscard]] os::Descriptor open_beneath(int folder, const std::string& name, int flags);

// Whether open_beneath() failed with this errno because a link leads out of the folder.
[[nodiscard]] bool leaves_folder(int fault);

}  // namespace toolhost::loading
