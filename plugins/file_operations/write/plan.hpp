// Computes the new content of a file from the old and the given content, if the old one is as
// expected.
#pragma once

#include <string>
#include <string_view>

#include "write/atomic_write.hpp"

namespace file_operations {

struct Plan {
    std::string joined;  // where the old and the new content are joined
    std::string_view content;
};

// `old` must be text, empty if the file is missing or not needed. Uses the action in `written`.
[[nodiscard]] Outcome<Plan> plan_content(const WriteOrder& order, bool exists, std::string old,
                                         Written& written);

}  // namespace file_operations
