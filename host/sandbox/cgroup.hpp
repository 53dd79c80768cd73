// A control group (cgroup v2) for a worker, if one was delegated to the host: the kernel then
// limits memory and processes of everything that the worker starts, even as root.
//
// A group is delegated if TOOLHOST_CGROUP names its folder, or if the host's own group or its
// parent has systemd's mark (Delegate=yes). Other groups are not changed.
#pragma once

#include <string>

#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// The group below which the host may create others, or an empty string. Determined once.
[[nodiscard]] const std::string& delegated_group();

// Creates a group below `parent` with these limits plus `own_processes`, or returns an empty
// string. It limits what the kernel counts there; rlimits limit everything else.
[[nodiscard]] std::string make_group(const std::string& parent, const ResourceLimits& limits,
                                     unsigned own_processes);
// Moves the calling process, and thereby everything that it starts, into the group.
[[nodiscard]] bool join_group(const std::string& group);
// Whether the kernel has killed a process of the group because its memory was exhausted.
[[nodiscard]] bool ran_out_of_memory(const std::string& group);
// Kills the remaining processes and removes the group. Returns false if it still exists.
bool remove_group(const std::string& group);

}  // namespace toolhost::sandbox
