// What every fuzzer here is made of: one function that libFuzzer feeds (or replay.cpp, with files),
// and a way to say that something is wrong which both of them notice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace toolhost::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    // An empty input may come as a null pointer.
    return size == 0 ? std::string_view("")
                     : std::string_view(reinterpret_cast<const char*>(data), size);
}

// Not assert(): it must hold in optimised builds too.
inline void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

}  // namespace toolhost::fuzz
