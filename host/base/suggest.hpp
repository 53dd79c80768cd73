// Suggestions for misspelled names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost {

// The few candidates nearest to `typed`, best first; none if nothing is near.
[[nodiscard]] std::vector<std::string> near_misses(std::string_view typed,
                                                   const std::vector<std::string>& candidates);

// The key of `known` that `typed` misspells: the same but for case, _ and -, or one slip away, two
// in a long one. Stricter than near_misses(), since what it finds is refused. Empty: none.
[[nodiscard]] std::string misspelled_key(std::string_view typed,
                                         const std::vector<std::string>& known);

// "; did you mean 'calculator'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       const std::vector<std::string>& candidates);

}  // namespace toolhost
