// Keeps paths inside of writable folders from being written, moved or replaced.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// What a confinement's protected paths lead through inside of its writable folders, in order of
// their text, so a folder comes before what is in it.
struct HeldEntry {
    std::string path;
    bool read_only;  // else it is on the way to one, and may be written but not moved
};
[[nodiscard]] std::vector<HeldEntry> held_entries(const Confinement& confinement);

// A folder of which only some folders are seen; with an empty path there is none.
struct HiddenFolder {
    std::string path;
    std::vector<std::string> seen;  // read-only
    std::string written;
};

// Enters a mount namespace and mounts each entry over itself: the kernel then lets nothing below it
// rename, remove or replace it. For a process that has not given up its capabilities yet. False:
// this process may have no mount namespace, and nothing was done.
[[nodiscard]] Result<bool> mount_held_entries(const std::vector<HeldEntry>& entries,
                                              const HiddenFolder& hidden);

// Whether a process of this user may have a mount namespace. Tried in a child.
[[nodiscard]] bool mount_namespaces_work();

}  // namespace toolhost::sandbox
