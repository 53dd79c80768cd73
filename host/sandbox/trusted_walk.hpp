// Searches for files that other programs trust in the folders below those that a tool may write.
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

// Limits of one walk. A folder takes about 10 microseconds, so a walk takes at most 0.2 s.
inline constexpr std::size_t kMaxWalkedFolders = 20'000;
// A tool can create any number of files in a folder; these take as long as the folders above.
inline constexpr std::size_t kMaxWalkedEntries = 400'000;
// Each file, and each folder on the way to it, is a mount in each worker.
inline constexpr std::size_t kMaxNestedFiles = 1000;
inline constexpr std::size_t kMaxWalkedDepth = 24;
// For slower file systems: on a network, or on a machine that is short of memory.
inline constexpr std::chrono::milliseconds kMaxWalkTime{3000};

struct NestedFiles {
    // Absolute and sorted. Files directly in a writable folder are not included.
    std::vector<std::string> paths;
    // Folders that this user owns but cannot read, so their content is unknown. A tool could unlock
    // them, so they are protected as a whole.
    std::vector<std::string> locked;
    std::size_t folders = 0;  // number of folders searched
    // False if a limit was reached or something could not be read.
    bool complete = true;

    bool operator==(const NestedFiles&) const = default;
};

// Conditions that end a walk early, with complete == false.
struct WalkEnd {
    std::chrono::milliseconds most = kMaxWalkTime;
    os::Deadline deadline{};
    std::stop_token cancel{};

    [[nodiscard]] bool unwanted() const;  // the deadline passed, or the call was cancelled
};

// Folders near the top come first. Links, other mounts, `.git` and folders that are trusted files
// themselves are not entered.
[[nodiscard]] NestedFiles find_nested_files(const Confinement& confinement,
                                            const WalkEnd& early = {});

// Whether this user owns the folder but may not read or search it.
[[nodiscard]] bool is_locked(const struct stat& folder);

}  // namespace toolhost::sandbox
