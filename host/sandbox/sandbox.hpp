// Restricts a process permanently before foreign code is loaded into it: Landlock, a system call
// filter, no privileges, limits. The kernel then enforces the policy.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Parts of a complete sandbox that this kernel does not support ("landlock", "seccomp",
// "no_new_privs"). Determined once.
[[nodiscard]] const std::vector<std::string>& missing_sandbox_parts();

// The sandbox that `wanted` gives on this machine: "full", "partial (no landlock)" or "off".
[[nodiscard]] std::string sandbox_in_force(Enforcement wanted);

// Key of an error's details: the path concerned. For the host's log only; never sent to clients.
inline constexpr const char* kServerPath = "serverPath";

struct SandboxNeeds {
    std::vector<std::string> load;  // what the loader reads besides system libraries
    std::string temp;               // a private folder to read and write; empty for none
    unsigned own_threads = 0;       // started by the worker itself, not counted as the plugin's
    bool own_processes = false;     // it is in a process namespace that ends with it
    bool own_mounts = true;         // it may enter a mount namespace
    // A folder of which it may see only what is in `load` and `temp`, if mounts are available;
    // empty for none.
    std::string hidden{};
};

// Called in the process to restrict, while it has one thread and before foreign code is loaded. It
// cannot be undone. With `required` an unavailable part is an error, with `best_effort` it is
// skipped, with `off` only limits are set.
[[nodiscard]] Result<void> enter_sandbox(const Confinement& confinement, const SandboxNeeds& needs);

}  // namespace toolhost::sandbox
