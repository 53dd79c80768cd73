// diff: compares two of commits, index and working tree.
#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

// Compares two commits, or the second with their common ancestor.
Diff between(const Call& call, const Range& range, DiffOptions& options) {
    auto from = resolve_commit(call, range.from);
    const auto to = resolve_commit(call, range.to);
    if (range.symmetric) {
        git_oid base;
        check(git_merge_base(&base, call.git(), git_commit_id(from.get()), git_commit_id(to.get())),
              "no common ancestor");
        from = make<Commit>("cannot read the ancestor", git_commit_lookup, call.git(), &base);
        check_age(call, from.get());
    }
    return make<Diff>("cannot compare", git_diff_tree_to_tree, call.git(), tree_of(from).get(),
                      tree_of(to).get(), options.get());
}

// Compares a commit, by default HEAD, with the index.
Diff staged_diff(const Call& call, DiffOptions& options) {
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    const auto commit =
        call.request.ref ? resolve_commit(call, *call.request.ref) : head_commit(call);
    return make<Diff>("cannot compare", git_diff_tree_to_index, call.git(), tree_of(commit).get(),
                      index.get(), options.get());
}

// Compares a commit, by default the index, with the working tree.
Diff worktree_diff(const Call& call, DiffOptions& options) {
    call.repo.need_worktree("diff without a range or staged");
    check_rule_files(call.repo.root(), call.progress);
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    if (!call.request.ref)
        return make<Diff>("cannot compare", git_diff_index_to_workdir, call.git(), index.get(),
                          options.get());
    const auto tree = tree_of(resolve_commit(call, *call.request.ref));
    return make<Diff>("cannot compare", git_diff_tree_to_workdir_with_index, call.git(), tree.get(),
                      options.get());
}

}  // namespace

Answer diff(const Call& call) {
    const bool staged = call.request.staged.value_or(false);
    const auto range = parse_range(call.request.ref.value_or(""));
    if (range && staged)
        throw Misuse{"staged",
                     "compares the index with one commit and cannot be combined with a range"};
    DiffOptions options(call);
    options.split_type_changes();
    const auto diff = range    ? between(call, *range, options)
                      : staged ? staged_diff(call, options)
                               : worktree_diff(call, options);
    find_renames(diff.get());
    Answer answer;
    add_diff(call, diff.get(), answer, answer.details);
    if (answer.text.empty()) answer.text = "no differences\n";
    return answer;
}

}  // namespace git
