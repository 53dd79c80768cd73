#include "actions/path_history.hpp"

#include <algorithm>

namespace git {

PathHistory::PathHistory(const Call& call, History& history)
    : call_(call), history_(history), options_(call) {
    for (const auto& path : call.paths()) {
        paths_.emplace_back(path);
        plain_ = plain_ && path != "." && path.find_first_of("*?[!:") == std::string::npos;
    }
}

bool PathHistory::wants(const git_oid& id) {
    const auto& links = history_.links(id);
    if (!paths_.empty()) {
        if (links.parents.empty()) return differs(nullptr, links.tree);
        for (const auto& parent : links.parents) {
            if (differs(&history_.links(parent).tree, links.tree)) continue;
            history_.follow(parent);
            return false;
        }
    }
    for (const auto& parent : links.parents) history_.follow(parent);
    return true;
}

bool PathHistory::differs(const git_oid* before, const git_oid& after) {
    if (before != nullptr && git_oid_equal(before, &after) != 0) return false;
    if (plain_)
        return std::any_of(paths_.begin(), paths_.end(), [&](TreePath& path) {
            const auto now = path.find(history_, after);
            return (before != nullptr ? path.find(history_, *before) : Entry()) != now;
        });
    const auto tree = [&](const git_oid* id) {
        return id != nullptr ? make<Tree>("cannot read the tree", git_tree_lookup, call_.git(), id)
                             : Tree();
    };
    const auto old_tree = tree(before), new_tree = tree(&after);
    const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call_.git(),
                                 old_tree.get(), new_tree.get(), options_.get());
    return git_diff_num_deltas(diff.get()) > 0;
}

}  // namespace git
