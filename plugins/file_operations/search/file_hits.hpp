// Finds the matching lines in one file's content.
#pragma once

#include <atomic>
#include <string_view>

#include "search/search.hpp"

namespace file_operations {

struct HitLimits {
    SearchMode mode = SearchMode::matches;
    int context_lines = 0;
    std::size_t max_lines = 1000;  // with matches; counting continues
};

enum class Scan { done, stopped, too_costly };

// `content` must be UTF-8.
[[nodiscard]] Scan find_hits(std::string_view content, const Pattern& pattern, Matcher& matcher,
                             const HitLimits& limits, const std::atomic<bool>& stop,
                             FileHits& hits);

}  // namespace file_operations
