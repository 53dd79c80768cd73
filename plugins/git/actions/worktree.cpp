// checkout: branches, commits and files into the working tree.
#include "actions/overwrite.hpp"
#include "actions/patches.hpp"
#include "actions/pathspec.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

std::set<std::string> files_between(const Call& call, const Commit& from, const Commit& to) {
    DiffOptions options(call);
    const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call.git(),
                                 tree_of(from).get(), tree_of(to).get(), options.get());
    std::set<std::string> paths;
    for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i)
        paths.insert(git_diff_get_delta(diff.get(), i)->new_file.path);
    return paths;
}

// Switches to a branch, or detaches HEAD at a commit.
Answer switch_to(const Call& call, const std::optional<std::string>& branch) {
    const auto ref = branch ? "refs/heads/" + *branch : *call.request.ref;
    need_managed(call.policy, branch, "checkout");
    const auto target = resolve_commit(call, ref);
    need_clean(call, "checkout");
    const auto changed = files_between(call, head_commit(call), target);
    const auto count = changed.size();
    call.limit_files(count, "checkout");
    // Includes deletions, which the checkout does not report.
    call.need_unprotected(changed, "cannot check out '" + ref + "'");
    set_reflog_identity(call);
    Checkout checkout(call, GIT_CHECKOUT_SAFE);
    checkout.finish(git_checkout_tree(call.git(), reinterpret_cast<git_object*>(target.get()),
                                      &checkout.options),
                    "cannot check out '" + ref + "'");
    check(branch ? git_repository_set_head(call.git(), ref.c_str())
                 : git_repository_set_head_detached(call.git(), git_commit_id(target.get())),
          "cannot move HEAD");
    Answer answer;
    const auto id = hex(*git_commit_id(target.get()));
    answer.details = {{"commit", id}, {"file_count", count}, {"detached", !branch}};
    answer.text = (branch ? "on branch " + *branch + " at " : "HEAD detached at ") +
                  id.substr(0, 7) + ' ' + first_line_of(git_commit_message(target.get())) + '\n';
    return answer;
}

// Restores files from the commit, by default from the index.
Answer restore(const Call& call) {
    need_managed(call.policy, current_branch(call.git()), "checkout");
    need_clean(call, "restoring files", false);
    const auto target = call.request.ref ? resolve_commit(call, *call.request.ref) : Commit();
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    const auto tree = tree_of(target);
    if (target)
        need_matched(unmatched(named_paths(call), tree.get()),
                     "commit " + hex(*git_commit_id(target.get()), 7));
    else
        need_matched(unmatched(named_paths(call), index.get()), "the index");
    DiffOptions compared(call);
    const auto diff = target ? make<Diff>("cannot compare", git_diff_tree_to_workdir, call.git(),
                                          tree.get(), compared.get())
                             : make<Diff>("cannot compare", git_diff_index_to_workdir, call.git(),
                                          index.get(), compared.get());
    const auto count = git_diff_num_deltas(diff.get());
    call.limit_files(count, "checkout");
    need_no_untracked(call, index.get(), diff.get(), "restoring files");
    TextArray paths(call.paths());
    Checkout checkout(call, GIT_CHECKOUT_FORCE);
    checkout.options.paths = paths.get();
    checkout.finish(target
                        ? git_checkout_tree(call.git(), reinterpret_cast<git_object*>(target.get()),
                                            &checkout.options)
                        : git_checkout_index(call.git(), index.get(), &checkout.options),
                    "cannot restore the files");
    Answer answer;
    auto& files = answer.details["files"] = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        const auto* delta = git_diff_get_delta(diff.get(), i);
        files.push_back(shown_path(delta->old_file.path));
    }
    answer.details["file_count"] = count;
    answer.text = "restored " + std::to_string(count) + (count == 1 ? " file\n" : " files\n");
    return answer;
}

}  // namespace

Answer checkout(const Call& call) {
    call.repo.need_worktree("checkout");
    check_rule_files(call.repo.root(), call.progress);
    const auto& request = call.request;
    const bool files = !call.paths().empty();
    if (request.branch && (request.ref || files))
        throw Misuse{"branch",
                     "cannot be combined; paths and ref restore files, ref alone detaches HEAD"};
    if (request.branch) {
        if (!find<Reference>("cannot read the branch", git_branch_lookup, call.git(),
                             request.branch->c_str(), GIT_BRANCH_LOCAL)) {
            need_managed(call.policy, request.branch, "checkout");
            fail("no branch '" + *request.branch + "'; create it with action create_branch");
        }
        return switch_to(call, request.branch);
    }
    if (files) return restore(call);
    if (request.ref) return switch_to(call, std::nullopt);
    throw Misuse{"branch", "is required by action checkout, or ref, or paths"};
}

}  // namespace git
