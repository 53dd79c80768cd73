// Counts the program's allocations with its own operator new.
#pragma once

#include <cstdint>

namespace toolhost::test {

// Number of allocations by this thread so far.
[[nodiscard]] std::uint64_t allocations();

}  // namespace toolhost::test
