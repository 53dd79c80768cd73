// checkout and stash: what the working tree holds.
#include "actions/patches.hpp"
#include "actions/pathspec.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"

namespace git {
namespace {

// Tracked files that differ from HEAD, staged or not; of the request's paths, where it has some.
// A file that is only missing has nothing to lose.
std::size_t uncommitted(const Call& call, bool count_missing) {
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    DiffOptions options(call);
    std::size_t count = 0;
    const auto head = tree_of(head_commit(call));
    for (const bool staged : {true, false}) {
        const auto diff =
            staged ? make<Diff>("cannot compare the index", git_diff_tree_to_index, call.git(),
                                head.get(), index.get(), options.get())
                   : make<Diff>("cannot compare the working tree", git_diff_index_to_workdir,
                                call.git(), index.get(), options.get());
        for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
            const bool missing =
                !staged && git_diff_get_delta(diff.get(), i)->status == GIT_DELTA_DELETED;
            if (count_missing || !missing) ++count;
        }
    }
    return count;
}

void need_clean(const Call& call, std::string_view doing, bool count_missing = true) {
    if (call.policy.allow_worktree_dirty) return;
    const auto count = uncommitted(call, count_missing);
    if (count == 0) return;
    deny("dirty_worktree", std::string(doing) + " needs a working tree without changes, and " +
                               std::to_string(count) +
                               " are uncommitted (allow_worktree_dirty is false): commit or stash "
                               "them first");
}

// Names the files that stand in the way, and stops before anything is written. libgit2 itself
// follows a link in place of a folder where it is told to overwrite.
class Checkout {
public:
    Checkout(const Call& call, unsigned strategy) : call_(call) { fill(options, strategy); }
    Checkout(const Checkout&) = delete;
    Checkout& operator=(const Checkout&) = delete;

    void fill(git_checkout_options& to, unsigned strategy) {
        to.checkout_strategy = strategy;
        to.notify_flags = GIT_CHECKOUT_NOTIFY_CONFLICT | GIT_CHECKOUT_NOTIFY_UPDATED;
        to.notify_payload = this;
        to.notify_cb = [](git_checkout_notify_t why, const char* path, const git_diff_file*,
                          const git_diff_file*, const git_diff_file*,
                          void* self) { return static_cast<Checkout*>(self)->notice(why, path); };
    }

    void finish(int code, const std::string& what) const {
        if (!escape_.empty())
            deny("path_not_allowed",
                 what + ": '" + escape_ + "' leads out of the repository through a symbolic link");
        if (code == GIT_ECONFLICT && !conflicts_.empty())
            fail(what + ": it would overwrite changes in " + joined(conflicts_, ", ") +
                 "; commit or stash them first");
        check(code, what);
    }

    git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;

private:
    int notice(git_checkout_notify_t why, const char* path) {
        if (why == GIT_CHECKOUT_NOTIFY_CONFLICT) conflicts_.push_back(shown_path(path));
        if (!call_.repo.holds_folder_of(path)) {
            escape_ = shown_path(path);
            return GIT_EUSER;
        }
        return call_.watch.step("files checked out") ? 0 : int{GIT_EUSER};
    }

    const Call& call_;
    std::vector<std::string> conflicts_;
    std::string escape_;
};

std::size_t files_between(const Call& call, const Commit& from, const Commit& to) {
    DiffOptions options(call);
    const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call.git(),
                                 tree_of(from).get(), tree_of(to).get(), options.get());
    return git_diff_num_deltas(diff.get());
}

// To a branch, or to a commit on none.
Answer switch_to(const Call& call, const std::optional<std::string>& branch) {
    const auto ref = branch ? "refs/heads/" + *branch : *call.request.ref;
    need_managed(call.policy, branch, "checkout");
    const auto target = resolve_commit(call, ref);
    need_clean(call, "checkout");
    const auto count = files_between(call, head_commit(call), target);
    call.limit_files(count, "checkout");
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

// Files as they are in the commit, or without one in the index.
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

Json stash_list(const Call& call) {
    Json list = Json::array();
    const int code = git_stash_foreach(
        call.git(),
        [](std::size_t index, const char* message, const git_oid* id, void* to) {
            static_cast<Json*>(to)->push_back(
                {{"index", index}, {"message", message}, {"commit", hex(*id)}});
            return 0;
        },
        &list);
    check(code, "cannot list the stashes");
    return list;
}

std::string stash_save(const Call& call) {
    const auto count = uncommitted(call, true);
    call.limit_files(count, "stash");
    const auto who = identity(call);
    const auto flags = call.request.include_untracked.value_or(false) ? GIT_STASH_INCLUDE_UNTRACKED
                                                                      : GIT_STASH_DEFAULT;
    git_oid id;
    const auto* message = call.request.message ? call.request.message->c_str() : nullptr;
    const int code = git_stash_save(&id, call.git(), who.get(), message, flags);
    if (code == GIT_ENOTFOUND) fail("there is nothing to stash");
    check(code, "cannot stash");
    return "stashed as " + hex(id, 7) + '\n';
}

std::string stash_bring_back(const Call& call, bool drop) {
    need_clean(call, drop ? "stash pop" : "stash apply");
    set_reflog_identity(call);
    git_stash_apply_options options = GIT_STASH_APPLY_OPTIONS_INIT;
    Checkout checkout(call, GIT_CHECKOUT_SAFE);
    checkout.fill(options.checkout_options, GIT_CHECKOUT_SAFE);
    const auto index = static_cast<std::size_t>(call.request.index.value_or(0));
    const int code = drop ? git_stash_pop(call.git(), index, &options)
                          : git_stash_apply(call.git(), index, &options);
    if (code == GIT_ENOTFOUND) fail("there is no stash " + std::to_string(index));
    checkout.finish(code, "cannot apply stash " + std::to_string(index));
    return "applied stash " + std::to_string(index) + (drop ? " and dropped it\n" : "\n");
}

}  // namespace

Answer checkout(const Call& call) {
    call.repo.need_worktree("checkout");
    const auto& request = call.request;
    const bool files = !call.paths().empty();
    if (request.branch && (request.ref || files))
        throw Misuse{"branch", "goes alone; paths and ref restore files, ref alone detaches HEAD"};
    if (request.branch) {
        if (!find<Reference>("cannot read the branch", git_branch_lookup, call.git(),
                             request.branch->c_str(), GIT_BRANCH_LOCAL)) {
            need_managed(call.policy, request.branch, "checkout");
            fail("there is no branch '" + *request.branch + "'; action create_branch makes one");
        }
        return switch_to(call, request.branch);
    }
    if (files) return restore(call);
    if (request.ref) return switch_to(call, std::nullopt);
    throw Misuse{"branch", "is required by action checkout, or ref, or paths"};
}

Answer stash(const Call& call) {
    call.repo.need_worktree("stash");
    const auto operation = call.request.operation.value_or("save");
    Answer answer;
    if (operation != "save" && (call.request.message || call.request.include_untracked))
        throw Misuse{call.request.message ? "message" : "include_untracked",
                     "goes with operation save only"};
    if (operation == "save") answer.text = stash_save(call);
    if (operation == "apply") answer.text = stash_bring_back(call, false);
    if (operation == "pop") answer.text = stash_bring_back(call, true);
    if (operation == "drop") {
        const auto index = static_cast<std::size_t>(call.request.index.value_or(0));
        const int code = git_stash_drop(call.git(), index);
        if (code == GIT_ENOTFOUND) fail("there is no stash " + std::to_string(index));
        check(code, "cannot drop the stash");
        answer.text = "dropped stash " + std::to_string(index) + '\n';
    }
    answer.details["operation"] = operation;
    auto& list = answer.details["stashes"] = stash_list(call);
    if (operation != "list") return answer;
    for (const auto& entry : list)
        answer.text +=
            "stash@{" + entry["index"].dump() + "}: " + entry["message"].get<std::string>() + '\n';
    if (list.empty()) answer.text = "no stashes\n";
    return answer;
}

}  // namespace git
