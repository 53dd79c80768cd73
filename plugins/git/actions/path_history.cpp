#include "actions/path_history.hpp"

namespace git {

PathHistory::PathHistory(const Call& call)
    : call_(call), options_(call), paths_(call.paths()), none_(paths_.size(), '-') {
    for (const auto& path : paths_)
        plain_ = plain_ && path != "." && path.find_first_of("*?[!:") == std::string::npos;
}

bool PathHistory::wants(git_commit* commit) {
    if (all()) return true;
    const auto& id = *git_commit_id(commit);
    const bool is_start = parents_.erase(id) == 0;
    const auto count = git_commit_parentcount(commit);
    for (unsigned i = 0; i < count; ++i) parents_.insert(*git_commit_parent_id(commit, i));
    if (followed_.erase(id) == 0 && !is_start) return false;
    const bool wanted = differs_from_all(commit, count);
    known_.erase(id);
    return wanted;
}

bool PathHistory::differs_from_all(git_commit* commit, unsigned count) {
    if (count == 0) return differs(nullptr, commit);
    for (unsigned i = 0; i < count; ++i) {
        const auto parent = make<Commit>("cannot read a parent", git_commit_parent, commit, i);
        if (differs(parent.get(), commit)) continue;
        followed_.insert(*git_commit_id(parent.get()));
        return false;
    }
    for (unsigned i = 0; i < count; ++i) followed_.insert(*git_commit_parent_id(commit, i));
    return true;
}

bool PathHistory::differs(git_commit* before, git_commit* after) {
    if (before != nullptr &&
        git_oid_equal(git_commit_tree_id(before), git_commit_tree_id(after)) != 0)
        return false;
    if (plain_) return entries(before) != entries(after);
    const auto old_tree =
        before != nullptr ? make<Tree>("cannot read the tree", git_commit_tree, before) : Tree();
    const auto new_tree = make<Tree>("cannot read the tree", git_commit_tree, after);
    const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call_.git(),
                                 old_tree.get(), new_tree.get(), options_.get());
    return git_diff_num_deltas(diff.get()) > 0;
}

// What the paths are in a commit: ids and modes, one after the other. Most commits are asked for
// twice, as a parent and as themselves.
const std::string& PathHistory::entries(git_commit* commit) {
    if (commit == nullptr) return none_;
    auto [place, is_new] = known_.try_emplace(*git_commit_id(commit));
    if (!is_new) return place->second;
    const auto tree = make<Tree>("cannot read the tree", git_commit_tree, commit);
    for (const auto& path : paths_) {
        const auto entry = find<TreeEntry>("cannot read the tree", git_tree_entry_bypath,
                                           tree.get(), path.c_str());
        place->second += entry ? hex(*git_tree_entry_id(entry.get())) +
                                     std::to_string(git_tree_entry_filemode(entry.get()))
                               : "-";
    }
    return place->second;
}

}  // namespace git
