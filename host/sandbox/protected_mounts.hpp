// Keeps paths inside of writable folders from being written, moved or replaced.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// The protected paths of a confinement and the folders that lead to them inside of writable
// folders, sorted by name, so that a folder precedes its content.
struct ProtectedEntry {
    std::string path;
    bool read_only;  // otherwise it contains a protected path: may be written but not moved
};
[[nodiscard]] std::vector<ProtectedEntry> protected_entries(const Confinement& confinement);

// A folder of which only some subfolders are visible; unused if the path is empty.
struct HiddenFolder {
    std::string path;
    std::vector<std::string> seen;  // read-only
    std::string written;
};

// Enters a mount namespace and mounts each entry over itself, so that the kernel lets no process
// below it rename, remove or replace it. Requires that the process still has its capabilities.
// Returns false, and does nothing, if this process may not create a mount namespace.
[[nodiscard]] Result<bool> mount_protected_entries(const std::vector<ProtectedEntry>& entries,
                                                   const HiddenFolder& hidden);

// Whether a process of this user may create a mount namespace. Tried in a child.
[[nodiscard]] bool mount_namespaces_work();

}  // namespace toolhost::sandbox
