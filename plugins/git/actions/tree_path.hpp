// What a path is in one commit's tree after the other.
#pragma once

#include <string>
#include <vector>

#include "actions/history.hpp"

namespace git {

// A file or a folder as a tree names it.
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
    // From one commit to the next most folders are the same: what was found last is kept.
    struct Level {
        std::string name;
        git_oid tree{};
        Entry found{};
    };
    std::vector<Level> levels_;
};

}  // namespace git
