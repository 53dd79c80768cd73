// Restricts file system access, TCP and signals of a process.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"
#include "host/sandbox/sandbox.hpp"

namespace toolhost::sandbox {

// The version of the kernel's Landlock; 0 if it has none.
[[nodiscard]] int landlock_version();

// Since this version signals and abstract sockets reach only the process's own children.
inline constexpr int kLandlockScopesSignals = 6;
// Before this version any readable file can be truncated.
inline constexpr int kLandlockKnowsTruncate = 3;

// `held`: mounts protect the protected paths. Otherwise the writable folders are opened around
// toolhost's own files, child by child; a folder that contains one of them then accepts no new
// entries.
[[nodiscard]] Result<void> close_file_system(const Confinement& confinement,
                                             const SandboxNeeds& needs, bool held);

}  // namespace toolhost::sandbox
