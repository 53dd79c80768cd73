// The file system, TCP and signals, as far as a process may reach them.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"
#include "host/sandbox/sandbox.hpp"

namespace toolhost::sandbox {

// The version of the kernel's Landlock; 0 where it has none.
[[nodiscard]] int landlock_version();

// From here on: signals and abstract sockets reach no further than the process's own children.
inline constexpr int kLandlockScopesSignals = 6;
// Before it, any file that may be read may be cut to nothing.
inline constexpr int kLandlockKnowsTruncate = 3;

// `held`: mounts keep the protected paths. Else the writable folders are opened around toolhost's
// own files, child by child; new entries can then not be made in a folder that holds one of them.
[[nodiscard]] Result<void> close_file_system(const Confinement& confinement,
                                             const SandboxNeeds& needs, bool held);

}  // namespace toolhost::sandbox
