// "Did you mean": the known names closest to a wrong one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_tools {

// Edits (insert, delete, replace, swap neighbours) between two names, letters' case aside.
int edit_distance(std::string_view a, std::string_view b);

// At most `most` of `known`, closest first; only those a typing error away. A wrong name of any
// length costs bounded time: only its first 64 characters are looked at.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& known,
                                 std::size_t most = 3);

// " Did you mean a, b or c?", or "" if there is nothing near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace data_tools
