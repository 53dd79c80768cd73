// Applies a profile's limits as limits of the kernel.
#pragma once

#include <cstdint>

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Size of the address space that this process has mapped; 0 if /proc is unavailable. Must be called
// before /proc becomes inaccessible.
[[nodiscard]] std::uint64_t mapped_bytes();

// Adds to the plugin's limits what exists already: `mapped` bytes, and `own_tasks` processes and
// threads. Processes are limited only if they are counted apart from the user's others.
[[nodiscard]] Result<void> limit_resources(const ResourceLimits& limits, std::uint64_t mapped,
                                           std::uint64_t own_tasks, bool count_processes);

// The kernel exempts root from the limit on processes. Since Linux 6.14 each process namespace
// limits its process numbers, for root too; this allows some hundreds more. Must be called in a
// namespace of its own only, because it would otherwise change the machine's limit.
void limit_process_numbers(std::uint64_t most);

// Whether limit_resources() has limited processes and threads in this process.
[[nodiscard]] bool processes_are_limited();

// Allows that many more seconds of CPU, then SIGXCPU. Called at the start of each call, because a
// worker serves many.
void allow_cpu_seconds(std::uint64_t seconds);

}  // namespace toolhost::sandbox
