#include "actions/commit_text.hpp"

#include "actions/text.hpp"

namespace git {

std::string person(const git_signature* who) {
    return std::string(who->name) + " <" + who->email + ">";
}

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

}  // namespace git
