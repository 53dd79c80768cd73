// What the worker processes of this host hold, as /proc tells it.
#pragma once

#include <cstddef>
#include <optional>

namespace toolhost::validate {

struct ProcessUsage {
    std::size_t processes = 0;
    std::size_t descriptors = 0;
    std::size_t private_bytes = 0;  // resident and not shared
};

// Of all descendants of this process; nothing if one of them cannot be looked at.
[[nodiscard]] std::optional<ProcessUsage> descendants_usage();

}  // namespace toolhost::validate
