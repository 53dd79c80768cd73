#include "actions/overwrite.hpp"

#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/text.hpp"

namespace git {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view doing, const std::string& what) {
    deny("dirty_worktree", std::string(doing) + " requires a working tree without changes, but " +
                               what +
                               " (allow_worktree_dirty is false): commit or stash them first");
}

bool is_tracked(git_index* index, const std::string& path) {
    return git_index_find(nullptr, index, path.c_str()) == 0;
}

// The untracked file at the path, below it, or in place of a parent folder; empty if there is none.
std::string obstructing_file(const fs::path& root, git_index* index, const std::string& path) {
    std::error_code unknown;
    for (auto at = fs::path(path); !at.empty(); at = at.parent_path()) {
        const auto type = fs::symlink_status(root / at, unknown).type();
        if (type == fs::file_type::not_found || type == fs::file_type::none) continue;
        if (type != fs::file_type::directory)
            return is_tracked(index, at.generic_string()) ? "" : at.generic_string();
        if (at != path) return "";  // a parent folder, as expected
        fs::recursive_directory_iterator below(root / at, unknown);
        for (; !unknown && below != fs::recursive_directory_iterator(); below.increment(unknown)) {
            const auto inner = below->path().lexically_relative(root).generic_string();
            if (below->symlink_status(unknown).type() != fs::file_type::directory &&
                !is_tracked(index, inner))
                return inner;
        }
        return "";
    }
    return "";
}

}  // namespace

std::set<std::string> uncommitted(const Call& call, Counting counted) {
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    DiffOptions options(call);
    if (counted.untracked)
        options.add_flags(GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS);
    std::set<std::string> paths;
    const auto head = tree_of(head_commit(call));
    for (const bool staged : {true, false}) {
        const auto diff =
            staged ? make<Diff>("cannot compare the index", git_diff_tree_to_index, call.git(),
                                head.get(), index.get(), options.get())
                   : make<Diff>("cannot compare the working tree", git_diff_index_to_workdir,
                                call.git(), index.get(), options.get());
        for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
            const auto& delta = *git_diff_get_delta(diff.get(), i);
            const bool missing = !staged && delta.status == GIT_DELTA_DELETED;
            if (counted.missing || !missing) paths.insert(delta.new_file.path);
        }
    }
    return paths;
}

void need_clean(const Call& call, std::string_view doing, bool count_missing) {
    if (call.policy.allow_worktree_dirty) return;
    const auto count = uncommitted(call, {.missing = count_missing}).size();
    if (count > 0) refuse(doing, std::to_string(count) + " files are uncommitted");
}

void need_no_untracked(const Call& call, git_index* index, git_diff* to_write,
                       std::string_view doing) {
    if (call.policy.allow_worktree_dirty) return;
    for (std::size_t i = 0; i < git_diff_num_deltas(to_write); ++i) {
        const auto& file = git_diff_get_delta(to_write, i)->old_file;
        if (file.mode == GIT_FILEMODE_COMMIT) continue;  // files of submodules are not changed
        const auto lost = obstructing_file(call.repo.root(), index, file.path);
        if (!lost.empty()) refuse(doing, "'" + shown_path(lost) + "' is untracked");
    }
}

void Checkout::finish(int code, const std::string& what) const {
    if (!escape_.empty())
        deny("path_not_allowed",
             what + ": '" + escape_ + "' leaves the repository through a symbolic link");
    call_.need_unprotected(guarded_, what);
    if (code == GIT_ECONFLICT && !conflicts_.empty())
        fail(what + ": it would overwrite changes in " + joined(conflicts_, ", ") +
             "; commit or stash them first");
    check(code, what);
}

int Checkout::notice(git_checkout_notify_t why, const char* path) {
    if (why == GIT_CHECKOUT_NOTIFY_CONFLICT) conflicts_.push_back(shown_path(path));
    if (!call_.repo.holds_folder_of(path)) {
        escape_ = shown_path(path);
        return GIT_EUSER;
    }
    if (call_.protected_paths.protects(path, call_.repo.root())) {
        guarded_ = {path};
        return GIT_EUSER;
    }
    return call_.progress.step("files checked out") ? 0 : int{GIT_EUSER};
}

}  // namespace git
