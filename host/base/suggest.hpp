// Suggestions for misspelled names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost {

// Returns the few candidates closest to `typed`, best first.
[[nodiscard]] std::vector<std::string> near_misses(std::string_view typed,
                                                   const std::vector<std::string>& candidates);

// Returns the key of `known` that `typed` misspells, or an empty string: equal but for case, _ and
// -, or at distance 1 (2 for a long key). Stricter than near_misses(), because the key is then
// refused.
[[nodiscard]] std::string misspelled_key(std::string_view typed,
                                         const std::vector<std::string>& known);

// "; did you mean 'calculator'?", or an empty string.
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       const std::vector<std::string>& candidates);

}  // namespace toolhost
