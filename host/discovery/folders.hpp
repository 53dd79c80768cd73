// The folders in which plugins are searched.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

struct Folders {
    std::vector<std::string> plugins;  // in order; the first of two clashing tools wins
    std::string cache;                 // empty if unavailable

    // The quarantine's folder, or empty if unavailable.
    [[nodiscard]] std::string quarantine() const {
        return cache.empty() ? "" : cache + "/quarantine";
    }
};

// Folders given on the command line.
struct NamedFolders {
    std::vector<std::string> added;  // --plugins: before the others
    std::vector<std::string> only;   // --only-plugins: instead of the others
    std::string program{};           // the toolhost binary; empty for the running program
};

// `added`, then `only`, or else those of TOOLHOST_PLUGINS, or else the defaults: the folder beside
// the binary and the user's own.
[[nodiscard]] Folders find_folders(const NamedFolders& named);

// The folder of the shipped plugins, relative to the toolhost binary (empty for the running
// program). Empty if it does not exist.
[[nodiscard]] std::string shipped_plugins(const std::string& program = {});

// Whether a library is in that folder itself, not only linked from it. False for an empty folder.
[[nodiscard]] bool is_in_folder(const std::string& library, const std::string& folder);
// The same for the folder that the running program ships with.
[[nodiscard]] bool is_shipped(const std::string& library);

// The folders in which a change can change what a scan finds: plugin folders, those of the plugins
// in them, and the folders below these, where private libraries may lie.
[[nodiscard]] std::vector<std::string> folders_to_watch(const std::vector<std::string>& plugins);

}  // namespace toolhost::discovery
