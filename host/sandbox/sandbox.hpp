// Closes a process for good before foreign code is loaded into it: Landlock, a filter of system
// calls, no privileges, limits. What the policy forbids is then impossible, not merely unwanted.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// What this kernel lacks of a whole sandbox ("landlock", "seccomp", "no_new_privs"); empty:
// nothing. Asked of the kernel once.
[[nodiscard]] const std::vector<std::string>& missing_sandbox_parts();

// What `wanted` comes to on this machine: "full", "partial (no landlock)" or "off".
[[nodiscard]] std::string sandbox_in_force(Enforcement wanted);

// In the details of an error: the path that it is about. For the host's log; clients do not get it.
inline constexpr const char* kServerPath = "serverPath";

struct SandboxNeeds {
    std::vector<std::string> load;  // what the loader reads besides system libraries
    std::string temp;               // a private folder, read and written; empty: none
    unsigned own_threads = 0;    // what the worker will start itself: not the plugin's to pay for
    bool own_processes = false;  // it is in a namespace of processes that ends with it
    bool own_mounts = true;      // it may enter a mount namespace
    // A folder of which it sees only what is in `load` and `temp`, where it may enter one; empty:
    // none.
    std::string hidden{};
};

// In the process that is to be closed, before it has a second thread and before foreign code is
// loaded; there is no way back. required: a part that cannot be had is an error. best_effort: goes
// without it. off: limits only.
[[nodiscard]] Result<void> enter_sandbox(const Confinement& confinement, const SandboxNeeds& needs);

}  // namespace toolhost::sandbox
