// Where plugins are looked for.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

struct Folders {
    std::vector<std::string> plugins;  // in order; of two that clash, the first one's stays
    std::string cache;                 // empty: none can be had

    // Where libraries that crashed too often are remembered; empty: nowhere.
    [[nodiscard]] std::string quarantine() const {
        return cache.empty() ? "" : cache + "/quarantine";
    }
};

// The folders named on the command line.
struct NamedFolders {
    std::vector<std::string> added;  // --plugins: before the others
    std::vector<std::string> only;   // --only-plugins: in place of the others
    std::string program{};           // the toolhost binary; empty: the running program
};

// After the added ones: those of `only`, else of TOOLHOST_PLUGINS, else the usual ones, which are
// the folder beside the binary and the user's own.
[[nodiscard]] Folders find_folders(const NamedFolders& named);

// Shipped plugins, relative to the toolhost binary (empty: the running program); empty if there are
// none.
[[nodiscard]] std::string shipped_plugins(const std::string& program = {});

// Whether a library is in that folder itself, not merely linked from it. False of an empty folder.
[[nodiscard]] bool is_in_folder(const std::string& library, const std::string& folder);
// The same of the folder that the running program ships with.
[[nodiscard]] bool is_shipped(const std::string& library);

// The folders in which a change can change what a scan finds: plugin folders, those of the plugins
// in them, and the folders below these, where private libraries may lie.
[[nodiscard]] std::vector<std::string> folders_to_watch(const std::vector<std::string>& plugins);

}  // namespace toolhost::discovery
