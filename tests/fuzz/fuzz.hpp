// Shared by all fuzzers: one function that libFuzzer calls (or replay.cpp, with files), and a check
// that both notice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace toolhost::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    // An empty input may be a null pointer.
    return size == 0 ? std::string_view("")
                     : std::string_view(reinterpret_cast<const char*>(data), size);
}

// Not assert(), because it must also work in optimized builds.
inline void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

}  // namespace toolhost::fuzz
