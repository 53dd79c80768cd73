// Looks for files that other programs trust in the folders below those that a tool may write.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "host/os/futex.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Bounds of one walk. A folder takes some 10 microseconds, so a walk takes 0.2 s at most.
inline constexpr std::size_t kMostWalkedFolders = 20'000;
// A tool can make a folder with any number of files; these take as long as the folders above.
inline constexpr std::size_t kMostWalkedEntries = 400'000;
// Each file is a mount in each worker, and so is each folder on the way to it.
inline constexpr std::size_t kMostNestedFiles = 1000;
inline constexpr std::size_t kMostWalkedDepth = 24;
// For file systems that are slower than that: a network's, or one that is short of memory.
inline constexpr std::chrono::milliseconds kMostWalkTime{3000};

struct NestedFiles {
    // Absolute and in order; those directly in a writable folder are not among them.
    std::vector<std::string> paths;
    // Folders that this user owns but cannot read, so their content is unknown. A tool
    // could unlock them, so they are held as a whole.
    std::vector<std::string> locked;
    std::size_t folders = 0;  // that were looked into
    // False: a bound was reached, or something could not be looked at.
    bool complete = true;

    bool operator==(const NestedFiles&) const = default;
};

// When a walk ends early, with complete == false.
struct WalkEnd {
    std::chrono::milliseconds most = kMostWalkTime;
    os::Deadline deadline{};
    std::stop_token cancel{};

    [[nodiscard]] bool unwanted() const;  // the deadline is over, or it was cancelled
};

// Folders near the top come first. Links, other mounts, `.git` and folders that are trusted files
// themselves are not entered.
[[nodiscard]] NestedFiles find_nested_files(const Confinement& confinement,
                                            const WalkEnd& early = {});

// Its owner, who is this user, may not read or search it.
[[nodiscard]] bool is_locked(const struct stat& folder);

}  // namespace toolhost::sandbox
