// Finds the program of a command in the trusted folders of PATH.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

struct FoundCommand {
    std::string program;  // real path, links resolved; empty if not found
    // If not found: the rule by which the first match was ignored, or empty without a match.
    std::string ignored;
};

// Agents and other users must not choose which program runs. A match is ignored if its PATH entry
// is relative or empty, if it is in one of `writable` (the workspace and other folders that tools
// may write), or if anyone except root and this user can change it or a folder above it.
[[nodiscard]] FoundCommand find_command(const std::string& name,
                                        const std::vector<std::string>& writable);

}  // namespace toolhost::discovery
