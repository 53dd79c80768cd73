// Looks up a path in one commit's tree after the other.
#pragma once

#include <string>
#include <vector>

#include "actions/history.hpp"

namespace git {

// An entry of a tree: a file or a folder.
struct Entry {
    git_oid id{};
    unsigned mode = 0;  // 0: missing

    bool operator==(const Entry& other) const {
        return mode == other.mode && git_oid_equal(&id, &other.id) != 0;
    }
};

class TreePath {
public:
    explicit TreePath(std::string_view path);

    [[nodiscard]] Entry find(const History& history, const git_oid& tree);

private:
    // Most folders are equal in consecutive commits, so the last result is cached.
    struct Level {
        std::string name;
        git_oid tree{};
        Entry found{};
    };
    std::vector<Level> levels_;
};

}  // namespace git
