// Expands a word with wildcards.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "command/rules.hpp"

namespace shell {

// Appends matches to `out` in order, spelled as in the word; the word itself if there are none.
// Searches only within the workspace: files outside must stay hidden. Links to parent folders can
// create millions of paths, so it stops at a number of entries, and when `stop` returns true.
Refused expand(const Rules& rules, const std::filesystem::path& folder, const Word& word,
               const std::function<bool()>& stop, std::vector<std::string>& out);

}  // namespace shell
