// blame: the commit that wrote each line of a file.
#include <algorithm>

#include "actions/line_origins.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"

namespace git {
namespace {

constexpr std::size_t kBlameId = 8;

Blob blob_at(const git_commit* commit, const std::string& path) {
    git_object* found = nullptr;
    const int code = git_object_lookup_bypath(&found, reinterpret_cast<const git_object*>(commit),
                                              path.c_str(), GIT_OBJECT_BLOB);
    if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
        fail("no file '" + path + "' in commit " + hex(*git_commit_id(commit), kBlameId) +
             "; list them with action files");
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

// Consecutive lines that one commit wrote.
struct Hunk {
    LineOrigin origin;
    std::size_t first, count;  // from 1
    std::string author, shown_date, date;
};

std::vector<Hunk> hunks_of(const Call& call, const std::vector<LineOrigin>& origins,
                           std::size_t first) {
    std::vector<Hunk> hunks;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (!hunks.empty() && git_oid_equal(&hunks.back().origin.commit, &origins[i].commit) != 0) {
            ++hunks.back().count;
            continue;
        }
        const auto commit =
            make<Commit>("cannot read a commit", git_commit_lookup, call.git(), &origins[i].commit);
        const auto& author = *git_commit_author(commit.get());
        hunks.push_back({origins[i], first + i, 1, author.name, blame_time(author.when),
                         iso_time(author.when)});
    }
    return hunks;
}

// In the format of `git blame`.
std::string text_of(const std::vector<Hunk>& hunks, const std::vector<std::string_view>& lines) {
    std::size_t widest = 0;
    for (const auto& hunk : hunks) widest = std::max(widest, hunk.author.size());
    const auto digits = std::to_string(hunks.back().first + hunks.back().count - 1).size();
    std::string text;
    for (const auto& hunk : hunks) {
        const auto id = hunk.origin.oldest ? "^" + hex(hunk.origin.commit, kBlameId - 1)
                                           : hex(hunk.origin.commit, kBlameId);
        for (auto line = hunk.first; line < hunk.first + hunk.count; ++line) {
            const auto number = std::to_string(line);
            text += id + " (" + hunk.author + std::string(widest - hunk.author.size() + 1, ' ') +
                    hunk.shown_date + ' ' + std::string(digits - number.size(), ' ') + number +
                    ") " + std::string(lines[line - 1]) + '\n';
        }
    }
    return text;
}

}  // namespace

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
    auto& listed = answer.details["hunks"] = Json::array();
    answer.details["path"] = shown_path(path);
    answer.details["line_count"] = lines.size();
    if (lines.empty()) return answer;
    if (first > lines.size())
        throw Misuse{"start_line", "the file has " + std::to_string(lines.size()) + " lines"};
    if (asked < first) throw Misuse{"end_line", "must not be before start_line"};
    const auto last = std::min(asked, lines.size());

    const auto hunks = hunks_of(
        call,
        LineOrigins(call).find(*git_commit_id(commit.get()), path, first - 1, last - first + 1),
        first);
    for (const auto& hunk : hunks)
        listed.push_back({{"commit", hex(hunk.origin.commit)},
                          {"author", hunk.author},
                          {"start_line", hunk.first},
                          {"lines", hunk.count},
                          {"date", hunk.date}});
    answer.text = text_of(hunks, lines);
    return answer;
}

}  // namespace git
