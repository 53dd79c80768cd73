#include "actions/patches.hpp"

#include "actions/text.hpp"
#include "repo/pipes.hpp"
#include "repo/shallow.hpp"

namespace git {
namespace {

int on_progress(const git_diff*, const char*, const char*, void* progress) {
    return static_cast<Progress*>(progress)->step("files compared") ? 0 : GIT_EUSER;
}

std::string stat_text(git_diff* diff) {
    const auto stats = make<DiffStats>("cannot count the changes", git_diff_get_stats, diff);
    Buffer text;
    check(git_diff_stats_to_buf(text.get(), stats.get(), GIT_DIFF_STATS_FULL, 80),
          "cannot count the changes");
    return std::string(text.view());
}

struct Counted {
    std::size_t insertions = 0, deletions = 0;
};

// Adds one file. Beyond the limit of the text the patch is counted, but not printed.
Counted add_patch(git_diff* diff, std::size_t place, bool print, Answer& answer) {
    const auto patch = make<Patch>("cannot compare a file", git_patch_from_diff, diff, place);
    Counted counted;
    if (!patch) return counted;
    check(git_patch_line_stats(nullptr, &counted.insertions, &counted.deletions, patch.get()),
          "cannot count the changes");
    if (!print) return counted;
    Buffer text;
    check(git_patch_to_buf(text.get(), patch.get()), "cannot print a patch");
    answer.text += text.view();
    return counted;
}

// A type change, such as a file that became a link, as two consecutive deltas: deleted and added.
bool is_type_change(git_diff* diff, std::size_t place) {
    if (place + 1 >= git_diff_num_deltas(diff)) return false;
    const auto &gone = *git_diff_get_delta(diff, place),
               &made = *git_diff_get_delta(diff, place + 1);
    return gone.status == GIT_DELTA_DELETED &&
           (made.status == GIT_DELTA_ADDED || made.status == GIT_DELTA_UNTRACKED) &&
           std::string_view(gone.old_file.path) == made.new_file.path;
}

}  // namespace

DiffOptions::DiffOptions(const Call& call) : paths_(call.paths()) {
    options_.context_lines = static_cast<std::uint32_t>(call.request.context_lines.value_or(3));
    options_.max_size = call.policy.max_file_bytes;  // larger ones are treated as binary
    options_.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
    options_.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
    options_.progress_cb = on_progress;
    options_.payload = &call.progress;
    if (!paths_.empty()) options_.pathspec = paths_.get();
}

void find_renames(git_diff* diff) {
    git_diff_find_options options = GIT_DIFF_FIND_OPTIONS_INIT;
    options.flags = GIT_DIFF_FIND_RENAMES;
    options.rename_limit = 1000;
    check(git_diff_find_similar(diff, &options), "cannot look for renames");
}

const char* change_name(git_delta_t change) {
    switch (change) {
        case GIT_DELTA_ADDED:
            return "added";
        case GIT_DELTA_DELETED:
            return "deleted";
        case GIT_DELTA_RENAMED:
            return "renamed";
        case GIT_DELTA_COPIED:
            return "copied";
        case GIT_DELTA_TYPECHANGE:
            return "type_changed";
        case GIT_DELTA_UNTRACKED:
            return "untracked";
        case GIT_DELTA_CONFLICTED:
            return "conflicted";
        default:
            return "modified";
    }
}

Json delta_json(const git_diff_delta& delta) {
    const bool gone = delta.status == GIT_DELTA_DELETED;
    Json json{{"path", shown_path(gone ? delta.old_file.path : delta.new_file.path)},
              {"change", change_name(delta.status)}};
    if (delta.status == GIT_DELTA_RENAMED || delta.status == GIT_DELTA_COPIED)
        json["old_path"] = shown_path(delta.old_file.path);
    return json;
}

void add_diff(const Call& call, git_diff* diff, Answer& answer, Json& details) {
    const bool names = call.request.name_only.value_or(false);
    const bool stat = call.request.stat.value_or(false);
    const auto room = static_cast<std::size_t>(call.policy.max_output_chars);
    const auto most = static_cast<std::size_t>(call.policy.max_files);
    const auto count = git_diff_num_deltas(diff);
    auto& files = details["files"] = Json::array();
    Counted total;
    std::size_t shown = 0, pairs = 0;
    for (std::size_t i = 0; i < count && shown < most; ++i, ++shown) {
        call.progress.step_or_stop("files compared");
        auto file = delta_json(*git_diff_get_delta(diff, i));
        const bool type_change = is_type_change(diff, i);
        if (type_change) file["change"] = change_name(GIT_DELTA_TYPECHANGE);
        if (names) {
            answer.text += file.at("path").get_ref<const std::string&>() + '\n';
        } else {
            // Attributes determine how a file is compared, even between commits.
            if (!call.repo.bare())
                check_rules_of(call.repo.root(), git_diff_get_delta(diff, i)->new_file.path);
            auto counted = add_patch(diff, i, !stat && answer.text.size() <= room, answer);
            if (type_change) {
                const auto made =
                    add_patch(diff, i + 1, !stat && answer.text.size() <= room, answer);
                counted.insertions += made.insertions;
                counted.deletions += made.deletions;
            }
            file["insertions"] = counted.insertions;
            file["deletions"] = counted.deletions;
            file["binary"] = (git_diff_get_delta(diff, i)->flags & GIT_DIFF_FLAG_BINARY) != 0;
            total.insertions += counted.insertions;
            total.deletions += counted.deletions;
        }
        files.push_back(std::move(file));
        i += type_change ? 1 : 0;
        pairs += type_change ? 1 : 0;
    }
    const auto found = count - pairs;
    details["file_count"] = found;
    if (!names) {
        details["insertions"] = total.insertions;
        details["deletions"] = total.deletions;
    }
    if (stat && !names && found <= most) answer.text += stat_text(diff);
    if (found <= most) return;
    answer.text +=
        "[" + std::to_string(found - most) + " more files omitted (max_files): narrow paths]\n";
    answer.truncated = true;
}

Diff commit_diff(const Call& call, git_commit* commit, DiffOptions& options) {
    Tree before;
    const bool cut = shallow_commits(call.git()).contains(hex(*git_commit_id(commit)));
    if (git_commit_parentcount(commit) > 0 && !cut) {
        const auto parent = make<Commit>("cannot read the parent", git_commit_parent, commit, 0u);
        before = make<Tree>("cannot read the tree", git_commit_tree, parent.get());
    }
    const auto after = make<Tree>("cannot read the tree", git_commit_tree, commit);
    auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call.git(), before.get(),
                           after.get(), options.get());
    find_renames(diff.get());
    return diff;
}

}  // namespace git
