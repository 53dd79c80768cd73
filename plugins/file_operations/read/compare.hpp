// Compares two texts, two files, or two folders.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "access/access.hpp"

namespace file_operations {

struct Difference {
    std::string text;                      // unified; empty if equal
    std::uint64_t added = 0, removed = 0;  // lines
    std::uint64_t files = 0;               // that differ
    bool truncated = false;
};

[[nodiscard]] Outcome<Difference> diff_texts(std::string_view a, const std::string& name_a,
                                             std::string_view b, const std::string& name_b);

// Compares two files, or two folders with everything below them.
[[nodiscard]] Outcome<Difference> diff_paths(const Access& access, const std::string& a,
                                             const std::string& b, std::size_t max_text,
                                             const std::function<bool()>& cancelled);

}  // namespace file_operations
