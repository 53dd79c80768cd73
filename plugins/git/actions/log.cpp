// log: what was done.
#include <algorithm>
#include <chrono>

#include "actions/commit_text.hpp"
#include "actions/dates.hpp"
#include "actions/patches.hpp"
#include "actions/path_history.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"

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
    // Without an order libgit2 walks as git does, by date, and no further than it is asked; with
    // one it reads all of the history first. Paths need it: they are followed from child to parent.
    const auto walk = start_walk(
        call, paths.all() ? unsigned{GIT_SORT_NONE} : GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
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

}  // namespace git
