// Counts what the program allocates: it has an operator new of its own.
#pragma once

#include <cstdint>

namespace toolhost::test {

// By this thread, so far.
[[nodiscard]] std::uint64_t allocations();

}  // namespace toolhost::test
