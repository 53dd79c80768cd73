// stash: saves changes, and restores them.
#include "actions/overwrite.hpp"
#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

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
    const bool untracked = call.request.include_untracked.value_or(false);
    const auto changed = uncommitted(call, {.untracked = untracked});
    call.limit_files(changed.size(), "stash");
    call.need_unprotected(changed, "cannot stash");
    const auto who = identity(call);
    const auto flags = untracked ? GIT_STASH_INCLUDE_UNTRACKED : GIT_STASH_DEFAULT;
    git_oid id;
    const auto* message = call.request.message ? call.request.message->c_str() : nullptr;
    const int code = git_stash_save(&id, call.git(), who.get(), message, flags);
    if (code == GIT_ENOTFOUND) fail("nothing to stash");
    check(code, "cannot stash");
    return "stashed as " + hex(id, 7) + '\n';
}

std::size_t files_between(const Call& call, const Tree& from, const Tree& to) {
    DiffOptions options(call);
    const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call.git(), from.get(),
                                 to.get(), options.get());
    return git_diff_num_deltas(diff.get());
}

// A stash is a child commit of HEAD at that time; its third parent, if any, contains the untracked
// files.
std::size_t files_in_stash(const Call& call, const std::string& id) {
    git_oid oid;
    check(git_oid_fromstr(&oid, id.c_str()), "cannot read the stash");
    const auto stash = make<Commit>("cannot read the stash", git_commit_lookup, call.git(), &oid);
    const auto parent = [&](unsigned which) {
        return tree_of(
            make<Commit>("cannot read the stash", git_commit_parent, stash.get(), which));
    };
    auto count = files_between(call, parent(0), tree_of(stash));
    if (git_commit_parentcount(stash.get()) > 2) count += files_between(call, Tree(), parent(2));
    return count;
}

std::string restore_stash(const Call& call, bool drop) {
    const std::string doing = drop ? "stash pop" : "stash apply";
    need_clean(call, doing);
    const auto list = stash_list(call);
    if (const auto at = static_cast<std::size_t>(call.request.index.value_or(0)); at < list.size())
        call.limit_files(files_in_stash(call, list[at]["commit"].get<std::string>()), doing);
    set_reflog_identity(call);
    git_stash_apply_options options = GIT_STASH_APPLY_OPTIONS_INIT;
    Checkout checkout(call, GIT_CHECKOUT_SAFE);
    checkout.fill(options.checkout_options, GIT_CHECKOUT_SAFE);
    const auto index = static_cast<std::size_t>(call.request.index.value_or(0));
    const int code = drop ? git_stash_pop(call.git(), index, &options)
                          : git_stash_apply(call.git(), index, &options);
    if (code == GIT_ENOTFOUND) fail("no stash " + std::to_string(index));
    checkout.finish(code, "cannot apply stash " + std::to_string(index));
    return "applied stash " + std::to_string(index) + (drop ? " and dropped it\n" : "\n");
}

}  // namespace

Answer stash(const Call& call) {
    call.repo.need_worktree("stash");
    check_rule_files(call.repo.root(), call.progress);
    const auto operation = call.request.operation.value_or("save");
    Answer answer;
    if (operation != "save" && (call.request.message || call.request.include_untracked))
        throw Misuse{call.request.message ? "message" : "include_untracked",
                     "requires operation save"};
    if (operation == "save") answer.text = stash_save(call);
    if (operation == "apply") answer.text = restore_stash(call, false);
    if (operation == "pop") answer.text = restore_stash(call, true);
    if (operation == "drop") {
        const auto index = static_cast<std::size_t>(call.request.index.value_or(0));
        const int code = git_stash_drop(call.git(), index);
        if (code == GIT_ENOTFOUND) fail("no stash " + std::to_string(index));
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
