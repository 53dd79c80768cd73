#include "tests/unit/allocations/counted_new.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::uint64_t count = 0;
}  // namespace

std::uint64_t toolhost::test::allocations() {
    return count;
}

// The other forms of new and delete call these.
void* operator new(std::size_t bytes) {
    ++count;
    if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
