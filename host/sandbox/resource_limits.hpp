// A profile's limits, as the kernel's.
#pragma once

#include <cstdint>

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// The bytes of addresses this process has mapped; 0 where /proc does not say. To be asked before
// /proc is closed.
[[nodiscard]] std::uint64_t mapped_bytes();

// What is there already is not the plugin's: `mapped` bytes and `own_tasks` processes and threads
// come on top. Processes are limited only if they are counted apart from the user's others.
[[nodiscard]] Result<void> limit_resources(const ResourceLimits& limits, std::uint64_t mapped,
                                           std::uint64_t own_tasks, bool count_processes);

// The kernel exempts root from the limit on processes. From Linux 6.14 on each namespace of
// processes has its own bound on their numbers, which holds for all; it lets some hundreds more
// through. To be called in such a namespace only, since where it is not one's own it is the
// machine's.
void limit_process_numbers(std::uint64_t most);

// Whether limit_resources() has set a limit on processes and threads here.
[[nodiscard]] bool processes_are_limited();

// From now on so many seconds of CPU more, then SIGXCPU. A warm worker serves many calls: said at
// the start of each.
void allow_cpu_seconds(std::uint64_t seconds);

}  // namespace toolhost::sandbox
