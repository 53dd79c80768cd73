// Resources of the worker processes of this host, from /proc.
#pragma once

#include <cstddef>
#include <optional>

namespace toolhost::validate {

struct ProcessUsage {
    std::size_t processes = 0;
    std::size_t descriptors = 0;
    std::size_t private_bytes = 0;  // resident, not shared
};

// The sum for all descendants of this process; nothing if one of them cannot be read.
[[nodiscard]] std::optional<ProcessUsage> descendants_usage();

}  // namespace toolhost::validate
