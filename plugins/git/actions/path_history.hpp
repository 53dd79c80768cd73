// Which commits a walk that is narrowed to paths shows.
#pragma once

#include <string>
#include <vector>

#include "actions/patches.hpp"
#include "actions/tree_path.hpp"

namespace git {

// git's default for paths: a commit counts if the paths differ from every parent's; where they are
// the same as one parent's, only that parent's side is followed.
class PathHistory {
public:
    PathHistory(const Call& call, History& history);

    // Leads the walk on to the commit's parents, and says whether the commit counts.
    [[nodiscard]] bool wants(const git_oid& id);

private:
    // No tree before: nothing was there.
    bool differs(const git_oid* before, const git_oid& after);

    const Call& call_;
    History& history_;
    DiffOptions options_;
    std::vector<TreePath> paths_;
    bool plain_ = true;  // no path is a pattern
};

}  // namespace git
