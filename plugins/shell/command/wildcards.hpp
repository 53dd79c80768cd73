// The files that a word with wildcards means.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "command/rules.hpp"

namespace shell {

// Added to `out` as the word writes them, in their order; the word itself where there are none.
// Only within the workspace: files outside must stay hidden. A few links to a folder above
// them make millions of paths, so that it ends at a number of entries, and when `stop` says so.
Refused expand(const Rules& rules, const std::filesystem::path& folder, const Word& word,
               const std::function<bool()>& stop, std::vector<std::string>& out);

}  // namespace shell
