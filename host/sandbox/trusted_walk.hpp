// Looks for files that other programs trust in the folders below those that a tool may write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Bounds of one walk. A folder takes some 10 microseconds, so a walk takes 0.2 s at most.
inline constexpr std::size_t kMostWalkedFolders = 20'000;
// A tool can make a folder with any number of files; these take as long as the folders above.
inline constexpr std::size_t kMostWalkedEntries = 400'000;
// Each file is a mount in each worker, and so is each folder on the way to it.
inline constexpr std::size_t kMostNestedFiles = 1000;
inline constexpr std::size_t kMostWalkedDepth = 24;

struct NestedFiles {
    // Absolute and in order; those directly in a writable folder are not among them.
    std::vector<std::string> paths;
    // Folders that this user owns but cannot read, so their content is unknown. A tool
    // could unlock them, so they are held as a whole.
    std::vector<std::string> locked;
    std::size_t folders = 0;  // that were looked into
    bool complete = true;     // false: a bound was reached

    bool operator==(const NestedFiles&) const = default;
};

// Folders near the top come first. Links, other mounts, `.git` and folders that are trusted files
// themselves are not entered.
[[nodiscard]] NestedFiles find_nested_files(const Confinement& confinement);

}  // namespace toolhost::sandbox
