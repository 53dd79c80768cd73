// What this process holds of the machine: compared before and after, it shows what leaked.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <set>

namespace toolhost::soak {

struct Footprint {
    std::size_t descriptors = 0;
    std::size_t rss_kb = 0;
};
[[nodiscard]] Footprint footprint();

// All processes below this one.
[[nodiscard]] std::set<pid_t> descendants();

// Processor time of a process so far, in clock ticks; 0 if it is gone.
[[nodiscard]] double cpu_ticks(pid_t process);

}  // namespace toolhost::soak
