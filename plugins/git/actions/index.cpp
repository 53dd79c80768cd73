// stage, unstage, commit: changes the index, and commits it.
#include <algorithm>

#include "actions/patches.hpp"
#include "actions/pathspec.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

void need_selection(const Call& call) {
    const bool all = call.request.all.value_or(false);
    const bool named = call.request.path || (call.request.paths && !call.request.paths->empty());
    if (all == named) throw Misuse{"paths", "set either paths or all: true"};
}

// Each path must be tracked, changed, or at least exist.
void check_known(const Call& call, git_index* index, git_diff* changes) {
    auto missed = unmatched(unmatched(named_paths(call), index), changes);
    std::erase_if(missed, [&](const std::string& path) {
        std::error_code unknown;
        const auto status = std::filesystem::symlink_status(call.repo.root() / path, unknown);
        if (is_pattern(path) || !std::filesystem::exists(status)) return false;
        int ignored = 0;
        check(git_ignore_path_is_ignored(&ignored, call.git(), path.c_str()),
              "cannot read the ignore rules");
        if (ignored != 0) fail("'" + path + "' is ignored by a .gitignore");
        return true;
    });
    need_matched(missed, "the working tree or the index");
}

Diff staged_changes(const Call& call, git_index* index) {
    DiffOptions options(call);
    return make<Diff>("cannot compare the index", git_diff_tree_to_index, call.git(),
                      tree_of(head_commit(call)).get(), index, options.get());
}

// An untracked folder that is a repository, which libgit2 does not enter. git would create a link
// to it that no clone can follow.
bool is_nested_repository(const git_diff_delta& delta) {
    return delta.status == GIT_DELTA_UNTRACKED &&
           std::string_view(delta.new_file.path).ends_with('/');
}

// Updates the index from the working tree for this path.
void stage_one(const Call& call, git_index* index, const git_diff_delta& delta) {
    using std::filesystem::file_type;
    const std::string path =
        delta.new_file.path != nullptr ? delta.new_file.path : delta.old_file.path;
    std::error_code unknown;
    const auto kind = std::filesystem::symlink_status(call.repo.root() / path, unknown).type();
    // If a folder replaced a file, its files are separate changes.
    const bool gone = kind == file_type::not_found ||
                      (kind == file_type::directory && delta.status == GIT_DELTA_DELETED);
    if (!gone && kind != file_type::regular && kind != file_type::symlink &&
        kind != file_type::directory)
        fail("'" + path + "' is not a file, link or folder, so it cannot be staged");
    check(gone ? git_index_remove_bypath(index, path.c_str())
               : git_index_add_bypath(index, path.c_str()),
          "cannot stage '" + path + "'");
}

Answer list_of(const char* verb, git_diff* diff) {
    Answer answer;
    auto& files = answer.details["files"] = Json::array();
    for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
        const auto& delta = *git_diff_get_delta(diff, i);
        if (!is_nested_repository(delta)) files.push_back(delta_json(delta));
    }
    answer.details["file_count"] = files.size();
    answer.text = std::string(verb) + ' ' + std::to_string(files.size()) +
                  (files.size() == 1 ? " file\n" : " files\n");
    for (const auto& file : files)
        answer.text +=
            "  " + file["change"].get<std::string>() + ' ' + file["path"].get<std::string>() + '\n';
    return answer;
}

struct MergeHeads {
    git_repository* repository;
    std::vector<Commit> commits;
};

int add_merge_head(const git_oid* id, void* payload) {
    auto& heads = *static_cast<MergeHeads*>(payload);
    git_commit* commit = nullptr;
    const int code = git_commit_lookup(&commit, heads.repository, id);
    if (code == 0) heads.commits.emplace_back(commit);
    return code;
}

// HEAD, and the commits being merged into it.
std::vector<Commit> parents_of_next(const Call& call) {
    MergeHeads heads{call.git(), {}};
    if (auto head = head_commit(call)) heads.commits.push_back(std::move(head));
    if (git_repository_state(call.git()) == GIT_REPOSITORY_STATE_MERGE)
        check(git_repository_mergehead_foreach(call.git(), add_merge_head, &heads),
              "cannot read what is being merged");
    return std::move(heads.commits);
}

std::string clean_message(const std::string& given) {
    Buffer cleaned;
    check(git_message_prettify(cleaned.get(), given.c_str(), 0, '#'), "cannot use the message");
    if (cleaned.view().empty()) throw Misuse{"message", "must not be empty"};
    return std::string(cleaned.view());
}

void check_can_commit(const Call& call, git_index* index) {
    need_managed(call.policy, current_branch(call.git()), "commit");
    const int state = git_repository_state(call.git());
    if (state != GIT_REPOSITORY_STATE_NONE && state != GIT_REPOSITORY_STATE_MERGE)
        fail("another operation is in progress (see action status); finish it first");
    if (git_index_has_conflicts(index) != 0)
        fail("files are in conflict (see action status): resolve and stage them first");
}

}  // namespace

Answer stage(const Call& call) {
    call.repo.need_worktree("stage");
    check_rule_files(call.repo.root(), call.progress);
    need_selection(call);
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    DiffOptions options(call);
    options.add_flags(GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS);
    const auto changes = make<Diff>("cannot compare the working tree", git_diff_index_to_workdir,
                                    call.git(), index.get(), options.get());
    check_known(call, index.get(), changes.get());
    const auto count = git_diff_num_deltas(changes.get());
    call.limit_files(count, "stage");
    std::vector<std::string> left_out;
    for (std::size_t i = 0; i < count; ++i) {
        call.progress.step_or_stop("files staged");
        const auto& delta = *git_diff_get_delta(changes.get(), i);
        if (is_nested_repository(delta)) {
            left_out.emplace_back(delta.new_file.path);
            continue;
        }
        stage_one(call, index.get(), delta);
    }
    for (const auto& name : named_paths(call))
        if (std::find(left_out.begin(), left_out.end(), name + '/') != left_out.end())
            fail("'" + name + "' is a separate repository: its files cannot be staged here");
    if (count > 0) check(git_index_write(index.get()), "cannot write the index");
    auto answer = list_of("staged", changes.get());
    for (const auto& path : left_out)
        answer.text += "[" + shown_path(path) + " is a separate repository and was skipped]\n";
    return answer;
}

Answer unstage(const Call& call) {
    need_selection(call);
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    const auto head_tree = tree_of(head_commit(call));
    need_matched(unmatched(unmatched(named_paths(call), index.get()), head_tree.get()),
                 "the index or HEAD");
    const auto changes = staged_changes(call, index.get());
    const auto count = git_diff_num_deltas(changes.get());
    call.limit_files(count, "unstage");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
        names.emplace_back(git_diff_get_delta(changes.get(), i)->new_file.path);
    if (!names.empty()) {
        TextArray paths(names);
        const auto texts = paths.get();
        const auto head = head_commit(call);
        set_reflog_identity(call);
        check(git_reset_default(call.git(), reinterpret_cast<git_object*>(head.get()), &texts),
              "cannot unstage");
    }
    return list_of("unstaged", changes.get());
}

Answer commit(const Call& call) {
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    check_can_commit(call, index.get());
    const auto message = clean_message(*call.request.message);
    const auto changes = staged_changes(call, index.get());
    const bool merging = git_repository_state(call.git()) == GIT_REPOSITORY_STATE_MERGE;
    const auto count = git_diff_num_deltas(changes.get());
    if (count == 0 && !merging && !call.request.allow_empty.value_or(false))
        fail("nothing is staged: use action stage first, or allow_empty");
    call.limit_files(count, "commit");
    const auto author = commit_author(call), committer = identity(call);
    const auto parents = parents_of_next(call);
    git_oid tree_id, id;
    check(git_index_write_tree(&tree_id, index.get()), "cannot write the tree");
    const auto tree = make<Tree>("cannot read the tree", git_tree_lookup, call.git(), &tree_id);
    std::vector<const git_commit*> raw;
    for (const auto& parent : parents) raw.push_back(parent.get());
    set_reflog_identity(call);
    check(git_commit_create(&id, call.git(), "HEAD", author.get(), committer.get(), nullptr,
                            message.c_str(), tree.get(), raw.size(), raw.data()),
          "cannot commit");
    if (merging) check(git_repository_state_cleanup(call.git()), "cannot end the merge");
    auto answer = list_of("committed", changes.get());
    answer.details["id"] = hex(id);
    answer.details["subject"] = first_line_of(message);
    answer.text = "[" + current_branch(call.git()).value_or("detached HEAD") + ' ' + hex(id, 7) +
                  "] " + first_line_of(message) + '\n' + answer.text;
    return answer;
}

}  // namespace git
