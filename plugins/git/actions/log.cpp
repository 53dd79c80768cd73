// log: lists commits.
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
// Clocks differ, so this many consecutive commits must be too old before the walk ends.
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
             "' is not a date: use 2026-01-15, 2026-01-15T12:34:56Z, @1768480496 or '3 days ago'");
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

// Selects commits by everything except paths.
class Filter {
public:
    explicit Filter(const Call& call)
        : since_(when(call.request.since, "since")),
          until_(when(call.request.until, "until")),
          author_(call.request.author.value_or("")),
          grep_(call.request.grep.value_or("")) {
        if (call.policy.max_age_days == 0) return;
        const auto oldest = now() - call.policy.max_age_days * kDaySeconds;
        if (since_ && *since_ < oldest)
            deny("since_not_allowed", "the policy limits history to the last " +
                                          std::to_string(call.policy.max_age_days) +
                                          " days (max_age_days), and since is earlier");
        if (!since_) since_ = oldest;
    }

    [[nodiscard]] bool too_old(std::int64_t time) const { return since_ && time < *since_; }
    [[nodiscard]] bool wants(History& history, const git_oid& id) const {
        const auto time = history.links(id).time;
        if (too_old(time) || (until_ && time > *until_)) return false;
        if (author_.empty() && grep_.empty()) return true;
        const auto commit = history.raw(id, GIT_OBJECT_COMMIT);
        return (author_.empty() || contains(author_of(commit.bytes()), author_)) &&
               (grep_.empty() || contains(message_of(commit.bytes()), grep_));
    }

private:
    std::optional<std::int64_t> since_, until_;
    std::string author_, grep_;
};

void add_commit(const Call& call, const git_oid& id, DiffOptions& options, Answer& answer) {
    const auto owner = make<Commit>("cannot read a commit", git_commit_lookup, call.git(), &id);
    auto* commit = owner.get();
    if (!answer.text.empty()) answer.text += '\n';
    answer.text += commit_text(commit);
    auto json = commit_json(commit);
    if (call.request.name_only.value_or(false) || call.request.stat.value_or(false)) {
        // As in git, a merge itself has no changes.
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
    History history(call);
    PathHistory paths(call, history);
    DiffOptions options(call);
    options.split_type_changes();
    Answer answer;
    answer.details["commits"] = Json::array();
    if (!call.request.ref && !head_commit(call)) {
        answer.text = "no commits yet\n";
        return answer;
    }
    const auto most = std::min(call.request.max_count.value_or(20), call.policy.max_log_count);
    auto to_skip = call.request.skip.value_or(0);
    history.start(call.request.ref.value_or("HEAD"));
    const auto wanted = static_cast<std::size_t>(most);
    const auto room = static_cast<std::size_t>(call.policy.max_output_chars);
    auto& commits = answer.details["commits"];
    int old_in_a_row = 0;
    while (const auto id = history.next()) {
        call.progress.step_or_stop("commits");
        old_in_a_row = filter.too_old(history.links(*id).time) ? old_in_a_row + 1 : 0;
        if (old_in_a_row == kOldInARow) break;
        if (!paths.wants(*id) || !filter.wants(history, *id) || to_skip-- > 0) continue;
        to_skip = 0;
        if (commits.size() == wanted || answer.text.size() > room) {
            // More exist than requested, or than fit; only the latter is a truncation.
            answer.truncated =
                commits.size() < static_cast<std::size_t>(call.request.max_count.value_or(20));
            answer.details["more"] = true;
            break;
        }
        add_commit(call, *id, options, answer);
    }
    if (commits.empty()) answer.text = "no commits\n";
    return answer;
}

}  // namespace git
