// Selects the commits of a walk that is limited to paths.
#pragma once

#include <string>
#include <vector>

#include "actions/patches.hpp"
#include "actions/tree_path.hpp"

namespace git {

// git's default for paths: a commit is selected if the paths differ from those of every parent; if
// they equal one parent's, only that parent is followed.
class PathHistory {
public:
    PathHistory(const Call& call, History& history);

    // Adds the commit's parents to the walk; returns whether the commit is selected.
    [[nodiscard]] bool wants(const git_oid& id);

private:
    // A null `before` means that there was nothing.
    bool differs(const git_oid* before, const git_oid& after);

    const Call& call_;
    History& history_;
    DiffOptions options_;
    std::vector<TreePath> paths_;
    bool plain_ = true;  // no path is a pattern
};

}  // namespace git
