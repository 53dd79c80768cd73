// log and show: what was done.
#include <algorithm>
#include <chrono>
#include <set>

#include "actions/dates.hpp"
#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"

namespace git {
namespace {

constexpr std::int64_t kDaySeconds = 86400;
// Clocks differ: this many commits in a row must be too old before the walk believes it.
constexpr int kOldInARow = 200;

std::int64_t now() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::optional<std::int64_t> when(const std::optional<std::string>& text, const char* field) {
    if (!text) return std::nullopt;
    if (const auto time = parse_when(*text, now())) return time;
    deny("invalid_since_format",
         std::string(field) + " '" + *text +
             "' is no date: write 2026-01-15, 2026-01-15T12:34:56Z, @1768480496 or '3 days ago'");
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

// Which commits are wanted, apart from paths.
class Filter {
public:
    explicit Filter(const Call& call)
        : since_(when(call.request.since, "since")),
          until_(when(call.request.until, "until")),
          author_(lower(call.request.author.value_or(""))),
          grep_(lower(call.request.grep.value_or(""))) {
        if (call.policy.max_age_days == 0) return;
        const auto oldest = now() - call.policy.max_age_days * kDaySeconds;
        if (since_ && *since_ < oldest)
            deny("since_not_allowed", "the policy shows the last " +
                                          std::to_string(call.policy.max_age_days) +
                                          " days (max_age_days), and since goes further back");
        if (!since_) since_ = oldest;
    }

    [[nodiscard]] bool too_old(const git_commit* commit) const {
        return since_ && git_commit_time(commit) < *since_;
    }
    [[nodiscard]] bool wants(const git_commit* commit) const {
        if (too_old(commit) || (until_ && git_commit_time(commit) > *until_)) return false;
        const auto* author = git_commit_author(commit);
        return contains(std::string(author->name) + " <" + author->email + ">", author_) &&
               contains(git_commit_message(commit), grep_);
    }

private:
    static bool contains(std::string_view text, const std::string& part) {
        return part.empty() || lower(text).find(part) != std::string::npos;
    }

    std::optional<std::int64_t> since_, until_;
    std::string author_, grep_;
};

Revwalk start_walk(const Call& call, unsigned sorting) {
    auto walk = make<Revwalk>("cannot walk the history", git_revwalk_new, call.git());
    check(git_revwalk_sorting(walk.get(), sorting), "cannot walk the history");
    const auto push = [&](const Commit& commit) {
        check(git_revwalk_push(walk.get(), git_commit_id(commit.get())), "cannot walk the history");
    };
    const auto hide = [&](const git_oid* id) {
        check(git_revwalk_hide(walk.get(), id), "cannot walk the history");
    };
    const auto ref = call.request.ref.value_or("HEAD");
    const auto range = parse_range(ref);
    if (!range) {
        push(resolve_commit(call, ref));
        return walk;
    }
    const auto from = resolve_commit(call, range->from), to = resolve_commit(call, range->to);
    push(to);
    if (!range->symmetric) {
        hide(git_commit_id(from.get()));
        return walk;
    }
    push(from);
    git_oid base;
    const int code =
        git_merge_base(&base, call.git(), git_commit_id(from.get()), git_commit_id(to.get()));
    if (code == GIT_ENOTFOUND) return walk;
    check(code, "cannot find the common ancestor");
    hide(&base);
    return walk;
}

// git's default for paths: a commit counts if the paths differ from every parent's; where they are
// the same as one parent's, only that parent's side is followed.
class PathHistory {
public:
    explicit PathHistory(const Call& call)
        : call_(call), options_(call), all_(call.paths().empty()) {}

    [[nodiscard]] bool all() const { return all_; }

    // Called for each commit after its children.
    bool wants(git_commit* commit) {
        if (all_) return true;
        const auto& id = *git_commit_id(commit);
        const bool is_start = parents_.erase(id) == 0;
        const auto count = git_commit_parentcount(commit);
        for (unsigned i = 0; i < count; ++i) parents_.insert(*git_commit_parent_id(commit, i));
        if (followed_.erase(id) == 0 && !is_start) return false;
        const auto tree = make<Tree>("cannot read the tree", git_commit_tree, commit);
        if (count == 0) return differs(nullptr, tree.get());
        for (unsigned i = 0; i < count; ++i) {
            const auto parent = make<Commit>("cannot read a parent", git_commit_parent, commit, i);
            if (differs(tree_of(parent).get(), tree.get())) continue;
            followed_.insert(*git_commit_id(parent.get()));
            return false;
        }
        for (unsigned i = 0; i < count; ++i) followed_.insert(*git_commit_parent_id(commit, i));
        return true;
    }

private:
    struct ById {
        bool operator()(const git_oid& a, const git_oid& b) const {
            return git_oid_cmp(&a, &b) < 0;
        }
    };

    bool differs(git_tree* before, git_tree* after) {
        const auto diff = make<Diff>("cannot compare", git_diff_tree_to_tree, call_.git(), before,
                                     after, options_.get());
        return git_diff_num_deltas(diff.get()) > 0;
    }

    const Call& call_;
    DiffOptions options_;
    bool all_;
    std::set<git_oid, ById> followed_, parents_;
};

std::string person(const git_signature* who) {
    return std::string(who->name) + " <" + who->email + ">";
}

// As `git log` prints it, without the changes.
std::string commit_text(git_commit* commit) {
    std::string text = "commit " + hex(*git_commit_id(commit)) + '\n';
    const auto parents = git_commit_parentcount(commit);
    if (parents > 1) {
        text += "Merge:";
        for (unsigned i = 0; i < parents; ++i)
            text += ' ' + hex(*git_commit_parent_id(commit, i), 7);
        text += '\n';
    }
    const auto* author = git_commit_author(commit);
    text += "Author: " + person(author) + "\nDate:   " + shown_time(author->when) + "\n\n";
    std::string_view message = git_commit_message(commit);
    while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
    while (!message.empty()) {
        const auto end = message.find('\n');
        const auto line = message.substr(0, end);
        text += (line.empty() ? "    " : "    " + std::string(line)) + '\n';
        message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    }
    return text;
}

Json commit_json(git_commit* commit) {
    const auto* author = git_commit_author(commit);
    Json parents = Json::array();
    for (unsigned i = 0; i < git_commit_parentcount(commit); ++i)
        parents.push_back(hex(*git_commit_parent_id(commit, i)));
    return {{"id", hex(*git_commit_id(commit))},
            {"author", author->name},
            {"email", author->email},
            {"date", iso_time(author->when)},
            {"subject", first_line_of(git_commit_message(commit))},
            {"parents", std::move(parents)}};
}

void add_commit(const Call& call, git_commit* commit, DiffOptions& options, Answer& answer) {
    if (!answer.text.empty()) answer.text += '\n';
    answer.text += commit_text(commit);
    auto json = commit_json(commit);
    if (call.request.name_only.value_or(false) || call.request.stat.value_or(false)) {
        // As git: a merge's changes are those of its parents.
        if (git_commit_parentcount(commit) <= 1) {
            const auto diff = commit_diff(call, commit, options);
            if (git_diff_num_deltas(diff.get()) > 0) answer.text += '\n';
            add_diff(call, diff.get(), answer, json);
        }
    }
    answer.details["commits"].push_back(std::move(json));
}

std::string tree_text(const git_tree* tree) {
    std::string text;
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const auto* entry = git_tree_entry_byindex(tree, i);
        text += shown_path(git_tree_entry_name(entry)) +
                (git_tree_entry_type(entry) == GIT_OBJECT_TREE ? "/\n" : "\n");
    }
    return text;
}

void show_blob(const git_blob* blob, Answer& answer) {
    const auto size = static_cast<std::size_t>(git_blob_rawsize(blob));
    const bool binary = git_blob_is_binary(blob) != 0;
    answer.details["size"] = size;
    answer.details["binary"] = binary;
    if (binary) {
        answer.text += "binary, " + std::to_string(size) + " bytes\n";
    } else {
        answer.text.append(static_cast<const char*>(git_blob_rawcontent(blob)), size);
    }
}

void show_commit(const Call& call, git_commit* commit, Answer& answer) {
    answer.text += commit_text(commit);
    answer.details.update(commit_json(commit));
    answer.details["message"] = git_commit_message(commit);
    DiffOptions options(call);
    const auto diff = commit_diff(call, commit, options);
    if (git_diff_num_deltas(diff.get()) > 0)
        answer.text +=
            git_commit_parentcount(commit) > 1 ? "\nagainst the first parent:\n\n" : "\n";
    add_diff(call, diff.get(), answer, answer.details);
}

void show_object(const Call& call, git_object* object, Answer& answer) {
    answer.details["kind"] = git_object_type2string(git_object_type(object));
    if (git_object_type(object) == GIT_OBJECT_TAG) {
        auto* tag = reinterpret_cast<git_tag*>(object);
        answer.text += std::string("tag ") + git_tag_name(tag) + '\n';
        answer.details["tag"] = git_tag_name(tag);
        if (const auto* tagger = git_tag_tagger(tag))
            answer.text +=
                "Tagger: " + person(tagger) + "\nDate:   " + shown_time(tagger->when) + '\n';
        answer.text +=
            std::string("\n") + (git_tag_message(tag) ? git_tag_message(tag) : "") + '\n';
        const auto target = make<Object>("cannot read the tag's object", git_tag_target, tag);
        show_object(call, target.get(), answer);
        answer.details["kind"] = "tag";
    } else if (git_object_type(object) == GIT_OBJECT_COMMIT) {
        show_commit(call, reinterpret_cast<git_commit*>(object), answer);
    } else if (git_object_type(object) == GIT_OBJECT_TREE) {
        answer.text += tree_text(reinterpret_cast<git_tree*>(object));
    } else {
        show_blob(reinterpret_cast<git_blob*>(object), answer);
    }
}

}  // namespace

Answer log(const Call& call) {
    const Filter filter(call);
    PathHistory paths(call);
    DiffOptions options(call);
    Answer answer;
    answer.details["commits"] = Json::array();
    if (!call.request.ref && !head_commit(call)) {
        answer.text = "no commits yet\n";
        return answer;
    }
    const auto most = std::min(call.request.max_count.value_or(20), call.policy.max_log_count);
    auto to_skip = call.request.skip.value_or(0);
    // Paths are followed from child to parent, so children must come first.
    const auto walk =
        start_walk(call, paths.all() ? GIT_SORT_TIME : GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
    const auto wanted = static_cast<std::size_t>(most);
    const auto room = static_cast<std::size_t>(call.policy.max_output_chars);
    auto& commits = answer.details["commits"];
    int old_in_a_row = 0;
    git_oid id;
    for (int code; (code = git_revwalk_next(&id, walk.get())) != GIT_ITEROVER;) {
        check(code, "cannot walk the history");
        call.watch.step_or_stop("commits");
        const auto commit =
            make<Commit>("cannot read a commit", git_commit_lookup, call.git(), &id);
        old_in_a_row = filter.too_old(commit.get()) ? old_in_a_row + 1 : 0;
        if (old_in_a_row == kOldInARow) break;
        if (!paths.wants(commit.get()) || !filter.wants(commit.get()) || to_skip-- > 0) continue;
        to_skip = 0;
        if (commits.size() == wanted || answer.text.size() > room) {
            // There are more than were asked for or fit; only the latter is a cut.
            answer.truncated =
                commits.size() < static_cast<std::size_t>(call.request.max_count.value_or(20));
            answer.details["more"] = true;
            break;
        }
        add_commit(call, commit.get(), options, answer);
    }
    if (commits.empty()) answer.text = "no commits\n";
    return answer;
}

Answer show(const Call& call) {
    const auto object = resolve(call, call.request.ref.value_or("HEAD"));
    Answer answer;
    answer.details["id"] = hex(*git_object_id(object.get()));
    show_object(call, object.get(), answer);
    return answer;
}

}  // namespace git
