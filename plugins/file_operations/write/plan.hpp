// What a file will hold: the old content and the new one brought together, if the old one is what
// the writer takes it for.
#pragma once

#include <string>
#include <string_view>

#include "write/atomic_write.hpp"

namespace file_operations {

struct Plan {
    std::string joined;  // where old and new come together
    std::string_view content;
};

// `old` as text, empty if the file does not exist or is not needed. `written` has the action.
[[nodiscard]] Outcome<Plan> plan_content(const WriteOrder& order, bool exists, std::string old,
                                         Written& written);

}  // namespace file_operations
