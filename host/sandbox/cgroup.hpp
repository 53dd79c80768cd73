// A control group of a worker's own (cgroup v2), where one was delegated to the host: the kernel
// then counts memory and processes of all that the worker starts together, root's included.
//
// Delegated means: TOOLHOST_CGROUP names a folder of the cgroup file system, or the host's own
// group or the one around it carries systemd's mark (Delegate=yes). Groups of others are not
// touched.
#pragma once

#include <string>

#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// The group below which the host may make others; empty: none. Looked for once.
[[nodiscard]] const std::string& delegated_group();

// A group below `parent` with these limits and `own_processes` more; empty: none could be made.
// What the kernel counts there is bound by it, the rest by rlimits as ever.
[[nodiscard]] std::string make_group(const std::string& parent, const ResourceLimits& limits,
                                     unsigned own_processes);
// Puts the calling process, and so all that it will start, into it.
[[nodiscard]] bool join_group(const std::string& group);
// Whether the kernel has killed a process in it for lack of memory.
[[nodiscard]] bool ran_out_of_memory(const std::string& group);
// Ends what is still in it, and removes it; false: not yet.
bool remove_group(const std::string& group);

}  // namespace toolhost::sandbox
