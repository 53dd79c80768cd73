// "Did you mean": the known names most similar to a misspelled one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_tools {

// Number of edits (insert, delete, replace, swap neighbours) between two names, ignoring case.
int edit_distance(std::string_view a, std::string_view b);

// At most `most` similar names of `known`, the most similar first. Compares only the first 64
// characters, so the cost is limited for any name.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& known,
                                 std::size_t most = 3);

// " Did you mean a, b or c?", or "" without similar names.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace data_tools
