// The program that a command's name stands for, among the folders of PATH that can be trusted.
#pragma once

#include <string>
#include <vector>

namespace toolhost::discovery {

struct FoundCommand {
    std::string program;  // its real path, links resolved; empty: not found
    // If not found: the rule by which the first match was ignored; empty: no match.
    std::string ignored;
};

// An agent, or another user, must not choose what runs. So a match is ignored if its PATH entry is
// relative or empty, if it lies in one of `writable` (the workspace and other folders that tools
// may write), or if someone besides root and this user can change it or a folder above it.
[[nodiscard]] FoundCommand find_command(const std::string& name,
                                        const std::vector<std::string>& writable);

}  // namespace toolhost::discovery
