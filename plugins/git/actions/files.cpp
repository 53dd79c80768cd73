// files: lists the files of a commit or of the index.
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

class Listing {
public:
    explicit Listing(const Call& call)
        : call_(call),
          paths_(call.paths()),
          most_(static_cast<std::size_t>(call.policy.max_files)) {
        answer_.details["files"] = Json::array();
        if (paths_.empty()) return;
        auto texts = paths_.get();
        wanted_ = make<PathspecSet>("cannot understand the paths", git_pathspec_new, &texts);
    }

    void add(const std::string& path, bool untracked) {
        call_.progress.step_or_stop("files listed");
        if (wanted_ &&
            git_pathspec_matches_path(wanted_.get(), GIT_PATHSPEC_DEFAULT, path.c_str()) == 0)
            return;
        if (++count_ > most_) return;
        const auto shown = shown_path(path);
        answer_.text += (untracked ? "? " : "") + shown + '\n';
        answer_.details[untracked ? "untracked" : "files"].push_back(shown);
    }

    Answer finish() {
        answer_.details["file_count"] = count_;
        if (count_ > most_) {
            answer_.truncated = true;
            answer_.text += "[" + std::to_string(count_ - most_) +
                            " more files omitted (max_files): narrow paths]\n";
        }
        return std::move(answer_);
    }

private:
    const Call& call_;
    TextArray paths_;
    PathspecSet wanted_;
    std::size_t most_, count_ = 0;
    Answer answer_;
};

void list_tree(const git_tree* tree, git_repository* repository, const std::string& folder,
               Listing& listing) {
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const auto* entry = git_tree_entry_byindex(tree, i);
        const auto path = folder + git_tree_entry_name(entry);
        if (git_tree_entry_type(entry) != GIT_OBJECT_TREE) {
            listing.add(path, false);
            continue;
        }
        const auto below = make<Tree>("cannot read a folder", git_tree_lookup, repository,
                                      git_tree_entry_id(entry));
        list_tree(below.get(), repository, path + '/', listing);
    }
}

void list_untracked(const Call& call, git_index* index, Listing& listing) {
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS;
    options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
    options.payload = &call.progress;
    options.progress_cb = [](const git_diff*, const char*, const char*, void* progress) {
        return static_cast<Progress*>(progress)->step("files looked at") ? 0 : int{GIT_EUSER};
    };
    const auto diff = make<Diff>("cannot look at the working tree", git_diff_index_to_workdir,
                                 call.git(), index, &options);
    for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const auto* delta = git_diff_get_delta(diff.get(), i);
        if (delta->status == GIT_DELTA_UNTRACKED) listing.add(delta->new_file.path, true);
    }
}

}  // namespace

Answer files(const Call& call) {
    Listing listing(call);
    if (call.request.ref) {
        if (call.request.include_untracked)
            throw Misuse{"include_untracked",
                         "applies to the working tree and cannot be combined with ref"};
        const auto tree = tree_of(resolve_commit(call, *call.request.ref));
        list_tree(tree.get(), call.git(), "", listing);
        return listing.finish();
    }
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    for (std::size_t i = 0; i < git_index_entrycount(index.get()); ++i) {
        const auto* entry = git_index_get_byindex(index.get(), i);
        // A file in conflict has one entry per side.
        if (i > 0 &&
            std::string_view(git_index_get_byindex(index.get(), i - 1)->path) == entry->path)
            continue;
        listing.add(entry->path, false);
    }
    if (call.request.include_untracked.value_or(false)) {
        call.repo.need_worktree("files with include_untracked");
        check_rule_files(call.repo.root(), call.progress);
        list_untracked(call, index.get(), listing);
    }
    return listing.finish();
}

}  // namespace git
