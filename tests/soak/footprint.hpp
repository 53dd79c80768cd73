// Resources of this process; compared before and after, they show leaks.
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

// All descendants of this process.
[[nodiscard]] std::set<pid_t> descendants();

// CPU time of a process so far, in clock ticks; 0 if it has ended.
[[nodiscard]] double cpu_ticks(pid_t process);

}  // namespace toolhost::soak
