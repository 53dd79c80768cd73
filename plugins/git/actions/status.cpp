// status: lists changes.
#include <algorithm>
#include <map>

#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "repo/pipes.hpp"

namespace git {
namespace {

// An entry of status: the two letters that git prints for the index and for the working tree.
struct StatusEntry {
    char staged = ' ', unstaged = ' ';
    std::string old_path;
};
using StatusEntries = std::map<std::string, StatusEntry>;

char letter(git_delta_t change) {
    switch (change) {
        case GIT_DELTA_ADDED:
            return 'A';
        case GIT_DELTA_DELETED:
            return 'D';
        case GIT_DELTA_RENAMED:
            return 'R';
        case GIT_DELTA_TYPECHANGE:
            return 'T';
        case GIT_DELTA_UNTRACKED:
            return '?';
        default:
            return 'M';
    }
}

void add_deltas(git_diff* diff, char StatusEntry::*column, StatusEntries& entries) {
    for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
        const auto& delta = *git_diff_get_delta(diff, i);
        if (delta.status == GIT_DELTA_CONFLICTED) continue;
        auto& entry = entries[delta.new_file.path];
        entry.*column = letter(delta.status);
        if (delta.status == GIT_DELTA_RENAMED) entry.old_path = delta.old_file.path;
        if (delta.status == GIT_DELTA_UNTRACKED) entry.staged = '?';
    }
}

// The letters of a conflict, by which sides have the file.
std::string conflict_letters(bool ancestor, bool ours, bool theirs) {
    if (ours && theirs) return ancestor ? "UU" : "AA";
    if (ancestor) return ours ? "UD" : theirs ? "DU" : "DD";
    return ours ? "AU" : "UA";
}

void add_conflicts(git_index* index, StatusEntries& entries) {
    if (git_index_has_conflicts(index) == 0) return;
    const auto all =
        make<ConflictIterator>("cannot read the conflicts", git_index_conflict_iterator_new, index);
    const git_index_entry *ancestor = nullptr, *ours = nullptr, *theirs = nullptr;
    for (int code;
         (code = git_index_conflict_next(&ancestor, &ours, &theirs, all.get())) != GIT_ITEROVER;) {
        check(code, "cannot read the conflicts");
        const auto letters =
            conflict_letters(ancestor != nullptr, ours != nullptr, theirs != nullptr);
        const auto* any = ours != nullptr ? ours : theirs != nullptr ? theirs : ancestor;
        entries[any->path] = {letters[0], letters[1], {}};
    }
}

bool is_conflict(const StatusEntry& entry) {
    return entry.staged == 'U' || entry.unstaged == 'U' ||
           (entry.staged == entry.unstaged && (entry.staged == 'A' || entry.staged == 'D'));
}

// The upstream in the branch's configuration; empty if there is none. libgit2's own function (1.5)
// leaks memory for each entry of the configuration, and follows refspecs that this tool ignores.
std::string upstream_of(const Call& call, const std::string& branch) {
    const auto config =
        make<Config>("cannot read the configuration", git_repository_config_snapshot, call.git());
    const char *remote = nullptr, *merge = nullptr;
    if (git_config_get_string(&remote, config.get(), ("branch." + branch + ".remote").c_str()) !=
            0 ||
        git_config_get_string(&merge, config.get(), ("branch." + branch + ".merge").c_str()) != 0)
        return "";
    const std::string_view there = merge, heads = "refs/heads/";
    if (std::string_view(remote) == ".") return merge;
    if (!there.starts_with(heads)) return "";
    return "refs/remotes/" + std::string(remote) + '/' + std::string(there.substr(heads.size()));
}

// "## main...origin/main [ahead 1]", also added to the details.
std::string branch_line(const Call& call, Json& details) {
    const auto branch = current_branch(call.git());
    if (!branch) return "## HEAD (no branch)\n";
    git_oid head;
    if (git_reference_name_to_id(&head, call.git(), "HEAD") != 0)
        return "## No commits yet on " + *branch + '\n';
    const auto name = upstream_of(call, *branch);
    if (name.empty()) return "## " + *branch + '\n';
    const auto prefix = std::string_view("refs/remotes/").size();
    const auto shown = name.substr(name.rfind("refs/remotes/", 0) == 0 ? prefix : 0);
    details["upstream"] = shown;
    git_oid other;
    if (git_reference_name_to_id(&other, call.git(), name.c_str()) != 0)
        return "## " + *branch + "..." + shown + " [gone]\n";
    std::size_t ahead = 0, behind = 0;
    check(git_graph_ahead_behind(&ahead, &behind, call.git(), &head, &other),
          "cannot compare with the upstream");
    details["ahead"] = ahead;
    details["behind"] = behind;
    std::vector<std::string> parts;
    if (ahead > 0) parts.push_back("ahead " + std::to_string(ahead));
    if (behind > 0) parts.push_back("behind " + std::to_string(behind));
    return "## " + *branch + "..." + shown +
           (parts.empty() ? "" : " [" + joined(parts, ", ") + "]") + '\n';
}

// git's short format also quotes names with spaces.
std::string status_path(const std::string& path) {
    const auto shown = shown_path(path);
    return shown == path && path.find(' ') != std::string::npos ? '"' + path + '"' : shown;
}

void add_entry(const std::string& path, const StatusEntry& entry, Answer& answer) {
    Json json{{"path", shown_path(path)}};
    if (!entry.old_path.empty()) json["old_path"] = shown_path(entry.old_path);
    const auto add = [&](const char* list, char code) {
        json["code"] = std::string(1, code);
        answer.details[list].push_back(json);
    };
    if (entry.unstaged == '?') {
        answer.details["untracked"].push_back(shown_path(path));
    } else if (is_conflict(entry)) {
        json["code"] = std::string{entry.staged, entry.unstaged};
        answer.details["conflicts"].push_back(json);
    } else {
        if (entry.staged != ' ') add("staged", entry.staged);
        if (entry.unstaged != ' ') add("unstaged", entry.unstaged);
    }
    answer.text += {entry.staged, entry.unstaged, ' '};
    if (!entry.old_path.empty()) answer.text += status_path(entry.old_path) + " -> ";
    answer.text += status_path(path) + '\n';
}

const char* state_name(git_repository* repository) {
    switch (git_repository_state(repository)) {
        case GIT_REPOSITORY_STATE_NONE:
            return "clean";
        case GIT_REPOSITORY_STATE_MERGE:
            return "merge";
        case GIT_REPOSITORY_STATE_REVERT:
        case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
            return "revert";
        case GIT_REPOSITORY_STATE_CHERRYPICK:
        case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
            return "cherry_pick";
        case GIT_REPOSITORY_STATE_BISECT:
            return "bisect";
        case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
        case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE:
            return "apply_mailbox";
        default:
            return "rebase";
    }
}

StatusEntries changed_entries(const Call& call, bool untracked) {
    const auto index = make<Index>("cannot read the index", git_repository_index, call.git());
    call.repo.check_submodules(index.get());
    StatusEntries entries;
    const auto head = tree_of(head_commit(call));
    DiffOptions options(call);
    const auto staged = make<Diff>("cannot compare the index", git_diff_tree_to_index, call.git(),
                                   head.get(), index.get(), options.get());
    find_renames(staged.get());
    add_deltas(staged.get(), &StatusEntry::staged, entries);
    if (untracked) options.add_flags(GIT_DIFF_INCLUDE_UNTRACKED);
    const auto unstaged = make<Diff>("cannot compare the working tree", git_diff_index_to_workdir,
                                     call.git(), index.get(), options.get());
    add_deltas(unstaged.get(), &StatusEntry::unstaged, entries);
    add_conflicts(index.get(), entries);
    return entries;
}

}  // namespace

Answer status(const Call& call) {
    call.repo.need_worktree("status");
    check_rule_files(call.repo.root(), call.progress);
    Answer answer;
    auto& details = answer.details;
    for (const char* list : {"staged", "unstaged", "untracked", "conflicts"})
        details[list] = Json::array();
    details["state"] = state_name(call.git());
    answer.text = branch_line(call, details);
    const auto entries = changed_entries(call, call.request.include_untracked.value_or(true));
    details["clean"] = entries.empty();
    details["entry_count"] = entries.size();
    const auto most = static_cast<std::size_t>(call.policy.max_files);
    std::size_t shown = 0;
    // Untracked ones come last, as in git.
    for (const bool untracked : {false, true}) {
        for (const auto& [path, entry] : entries) {
            if ((entry.unstaged == '?') != untracked || shown == most) continue;
            ++shown;
            add_entry(path, entry, answer);
        }
    }
    if (shown == entries.size()) return answer;
    answer.truncated = true;
    answer.text +=
        "[" + std::to_string(entries.size() - shown) + " more omitted (max_files): narrow paths]\n";
    return answer;
}

}  // namespace git
