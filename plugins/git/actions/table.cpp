#include "actions/table.hpp"

#include <algorithm>

#include "actions/pathspec.hpp"
#include "actions/refs.hpp"
#include "actions/text.hpp"

namespace git {
namespace {

constexpr Action kActions[] = {
    {"status", status, Effect::reads, "", "paths include_untracked"},
    {"log", log, Effect::reads, "",
     "ref path paths max_count skip since until author grep name_only stat"},
    {"diff", diff, Effect::reads, "", "ref path paths staged context_lines name_only stat"},
    {"show", show, Effect::reads, "", "ref path paths context_lines name_only stat"},
    {"blame", blame, Effect::reads, "path", "path ref start_line end_line"},
    {"branches", branches, Effect::reads, "", "all"},
    {"tags", tags, Effect::reads, "", "max_count"},
    {"files", files, Effect::reads, "", "ref path paths include_untracked"},
    {"checkout", checkout, Effect::writes, "", "branch ref path paths"},
    {"create_branch", create_branch, Effect::writes, "branch", "branch ref"},
    {"stage", stage, Effect::writes, "", "path paths all"},
    {"unstage", unstage, Effect::writes, "", "path paths all"},
    {"commit", commit, Effect::writes, "message", "message author_name author_email allow_empty"},
    {"tag", tag, Effect::writes, "name", "name ref message"},
    {"stash", stash, Effect::writes, "", "operation index message include_untracked"},
    {"fetch", fetch, Effect::connects, "", "remote branch"},
    {"push", push, Effect::connects, "", "remote branch"},
};

bool has_word(std::string_view words, std::string_view word) {
    const auto padded = " " + std::string(words) + " ";
    return padded.find(" " + std::string(word) + " ") != std::string::npos;
}

void check_allowed(const Action& action, const Policy& policy) {
    const auto& allowed = policy.allowed_actions;
    if (std::find(allowed.begin(), allowed.end(), action.name) == allowed.end())
        deny("action_not_allowed", "the policy does not allow action " + std::string(action.name) +
                                       "; allowed: " + joined(allowed, ", "));
    if (action.run == push && !policy.allow_push)
        deny("push_not_allowed", "the policy does not allow push (allow_push is false)");
}

// Common to all answers: repository, branch and commit.
Json head_of(const Call& call) {
    Json head{{"action", call.request.action},
              {"repo_path", shown_path(call.repo.name())},
              {"branch", nullptr},
              {"head", nullptr}};
    if (const auto branch = current_branch(call.git())) head["branch"] = *branch;
    git_oid id;
    if (git_reference_name_to_id(&id, call.git(), "HEAD") == 0) head["head"] = hex(id);
    return head;
}

}  // namespace

std::vector<std::string> Call::paths() const {
    std::vector<std::string> out;
    for (const auto& path : named_paths(*this)) out.push_back(as_pathspec(path));
    return out;
}

void Call::need_unprotected(const std::set<std::string>& paths, const std::string& doing) const {
    for (const auto& path : paths)
        if (protected_paths.protects(path, repo.root()))
            deny("protected_path",
                 doing + ": it would write '" + shown_path(path) +
                     "', which other programs run or trust, or which belongs to toolhost; the "
                     "operator can allow the former with the profile's unprotect");
}

void Call::limit_files(std::size_t count, std::string_view doing) const {
    if (count <= static_cast<std::size_t>(policy.max_files)) return;
    deny("too_many_files", std::string(doing) + " would touch " + std::to_string(count) +
                               " files; max_files allows " + std::to_string(policy.max_files) +
                               ": narrow paths");
}

std::span<const Action> actions() {
    return kActions;
}

const Action& action_named(std::string_view name) {
    for (const auto& action : kActions)
        if (action.name == name) return action;
    throw Misuse{"action", "unknown action '" + std::string(name) + "'"};
}

void check_fields(const Action& action, std::span<const std::string> given) {
    for (const auto& field : given) {
        if (field == "action" || field == "repo_path" || has_word(action.fields, field)) continue;
        throw Misuse{field, "action " + std::string(action.name) + " does not accept " + field +
                                "; it accepts " + joined(words_of(action.fields), ", ")};
    }
    if (!action.required.empty() &&
        std::find(given.begin(), given.end(), action.required) == given.end())
        throw Misuse{std::string(action.required),
                     "is required by action " + std::string(action.name)};
}

Answer run(const Request& request, const Policy& policy, const std::filesystem::path& workspace,
           Progress& progress, const toolhost::ProtectedPaths& protected_paths) {
    const auto& action = action_named(request.action);
    check_allowed(action, policy);
    prepare_library();
    try {
        const Repository repository(workspace, request.repo_path.value_or("."), progress);
        const Call call{request, policy, repository, progress, protected_paths};
        auto answer = action.run(call);
        auto whole = head_of(call);
        fit(answer, static_cast<std::size_t>(policy.max_output_chars));
        whole["truncated"] = answer.truncated;
        whole[request.action] = std::move(answer.details);
        answer.details = std::move(whole);
        return answer;
    } catch (const Failure&) {
        // Not every part of libgit2 hands our stop through as what it is.
        if (progress.cancelled()) throw Stopped{};
        throw;
    }
}

}  // namespace git
