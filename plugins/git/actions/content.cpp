// files and blame: what a commit holds, and where each line of it comes from.
#include <algorithm>

#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/tree_path.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

constexpr std::size_t kShortId = 8;

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
        call_.watch.step_or_stop("files listed");
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
                            " more files left out (max_files): name fewer in paths]\n";
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
    options.payload = &call.watch;
    options.progress_cb = [](const git_diff*, const char*, const char*, void* watch) {
        return static_cast<Watch*>(watch)->step("files looked at") ? 0 : int{GIT_EUSER};
    };
    const auto diff = make<Diff>("cannot look at the working tree", git_diff_index_to_workdir,
                                 call.git(), index, &options);
    for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
        const auto* delta = git_diff_get_delta(diff.get(), i);
        if (delta->status == GIT_DELTA_UNTRACKED) listing.add(delta->new_file.path, true);
    }
}

Blob blob_at(const git_commit* commit, const std::string& path) {
    git_object* found = nullptr;
    const int code = git_object_lookup_bypath(&found, reinterpret_cast<const git_object*>(commit),
                                              path.c_str(), GIT_OBJECT_BLOB);
    if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
        fail("there is no file '" + path + "' in commit " + hex(*git_commit_id(commit), kShortId) +
             "; action files lists them");
    check(code, "cannot read the file");
    return Blob(reinterpret_cast<git_blob*>(found));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

// The commit that made the file what it is: git's blame, too, goes on to the first parent that has
// the same file, and libgit2 compares whole trees for each such step.
git_oid last_change(const Call& call, const git_oid& newest, const std::string& path) {
    History history(call);
    TreePath place(path);
    auto id = newest;
    while (true) {
        call.watch.step_or_stop("commits");
        const auto& links = history.links(id);
        const auto file = place.find(history, links.tree);
        const auto same =
            std::find_if(links.parents.begin(), links.parents.end(), [&](const git_oid& parent) {
                const auto before = place.find(history, history.links(parent).tree);
                return before.mode != 0 && git_oid_equal(&before.id, &file.id) != 0;
            });
        if (same == links.parents.end()) return id;
        id = *same;
    }
}

struct BlamedHunk {
    std::string id, author, time;
};

BlamedHunk described(const git_blame_hunk& hunk) {
    const bool boundary = hunk.boundary != 0;
    BlamedHunk out;
    out.id = (boundary ? "^" : "") + hex(hunk.final_commit_id, kShortId - (boundary ? 1 : 0));
    if (hunk.final_signature == nullptr) return out;
    out.author = hunk.final_signature->name;
    out.time = blame_time(hunk.final_signature->when);
    return out;
}

Json hunk_json(const git_blame_hunk& hunk, const BlamedHunk& shown) {
    Json json{{"commit", hex(hunk.final_commit_id)},
              {"author", shown.author},
              {"start_line", hunk.final_start_line_number},
              {"lines", hunk.lines_in_hunk}};
    if (hunk.final_signature != nullptr) json["date"] = iso_time(hunk.final_signature->when);
    return json;
}

}  // namespace

Answer files(const Call& call) {
    Listing listing(call);
    if (call.request.ref) {
        if (call.request.include_untracked)
            throw Misuse{"include_untracked", "is of the working tree; it does not go with ref"};
        const auto tree = tree_of(resolve_commit(call, *call.request.ref));
        list_tree(tree.get(), call.git(), "", listing);
        return listing.finish();
    }
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    for (std::size_t i = 0; i < git_index_entrycount(index.get()); ++i) {
        const auto* entry = git_index_get_byindex(index.get(), i);
        // A file in conflict has an entry for each side.
        if (i > 0 &&
            std::string_view(git_index_get_byindex(index.get(), i - 1)->path) == entry->path)
            continue;
        listing.add(entry->path, false);
    }
    if (call.request.include_untracked.value_or(false)) {
        call.repo.need_worktree("files with include_untracked");
        check_rule_files(call.repo.root(), call.watch);
        list_untracked(call, index.get(), listing);
    }
    return listing.finish();
}

Answer blame(const Call& call) {
    const auto path = call.repo.path_inside(*call.request.path);
    const auto commit = resolve_commit(call, call.request.ref.value_or("HEAD"));
    const auto blob = blob_at(commit.get(), path);
    const auto size = git_blob_rawsize(blob.get());
    if (size > static_cast<git_object_size_t>(call.policy.max_file_bytes))
        fail("'" + path + "' has " + std::to_string(size) + " bytes; max_file_bytes allows " +
             std::to_string(call.policy.max_file_bytes));
    if (git_blob_is_binary(blob.get()) != 0) fail("'" + path + "' is binary: it has no lines");
    const auto lines = lines_of({static_cast<const char*>(git_blob_rawcontent(blob.get())),
                                 static_cast<std::size_t>(size)});
    const auto first = static_cast<std::size_t>(call.request.start_line.value_or(1));
    const auto asked = static_cast<std::size_t>(
        call.request.end_line.value_or(static_cast<std::int64_t>(lines.size())));
    Answer answer;
    auto& hunks = answer.details["hunks"] = Json::array();
    answer.details["path"] = shown_path(path);
    answer.details["line_count"] = lines.size();
    if (lines.empty()) return answer;
    if (first > lines.size())
        throw Misuse{"start_line", "the file has " + std::to_string(lines.size()) + " lines"};
    if (asked < first) throw Misuse{"end_line", "must not be before start_line"};
    const auto last = std::min(asked, lines.size());

    git_blame_options options = GIT_BLAME_OPTIONS_INIT;
    options.newest_commit = last_change(call, *git_commit_id(commit.get()), path);
    options.min_line = first;
    options.max_line = last;
    const auto blame = make<Blame>("cannot blame '" + path + "'", git_blame_file, call.git(),
                                   path.c_str(), &options);
    std::vector<BlamedHunk> shown;
    std::size_t widest = 0;
    for (std::uint32_t i = 0; i < git_blame_get_hunk_count(blame.get()); ++i) {
        const auto& hunk = *git_blame_get_hunk_byindex(blame.get(), i);
        shown.push_back(described(hunk));
        widest = std::max(widest, shown.back().author.size());
        hunks.push_back(hunk_json(hunk, shown.back()));
    }
    const auto digits = std::to_string(last).size();
    for (std::uint32_t i = 0; i < shown.size(); ++i) {
        const auto& hunk = *git_blame_get_hunk_byindex(blame.get(), i);
        for (std::size_t line = hunk.final_start_line_number;
             line < hunk.final_start_line_number + hunk.lines_in_hunk && line <= last; ++line) {
            const auto number = std::to_string(line);
            answer.text += shown[i].id + " (" + shown[i].author +
                           std::string(widest - shown[i].author.size() + 1, ' ') + shown[i].time +
                           ' ' + std::string(digits - number.size(), ' ') + number + ") " +
                           std::string(lines[line - 1]) + '\n';
        }
    }
    return answer;
}

}  // namespace git
