// The matching lines of one file's bytes.
#pragma once

#include <atomic>
#include <string_view>

#include "search/search.hpp"

namespace file_operations {

struct HitLimits {
    SearchMode mode = SearchMode::matches;
    int context_lines = 0;
    std::size_t max_lines = 1000;  // that match; counting goes on
};

enum class Scan { done, stopped, too_costly };

// `content` as UTF-8.
[[nodiscard]] Scan find_hits(std::string_view content, const Pattern& pattern, Matcher& matcher,
                             const HitLimits& limits, const std::atomic<bool>& stop,
                             FileHits& hits);

}  // namespace file_operations
