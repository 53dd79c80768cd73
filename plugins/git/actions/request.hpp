// Requests, rules and answers as plain values. The tool's file has the same fields with their
// descriptions and defaults.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <toolhost/protected_paths.hpp>
#include <vector>

#include "repo/repository.hpp"

namespace git {

using Json = nlohmann::json;

// Contains only the fields of the request.
struct Request {
    std::string action{};
    std::optional<std::string> repo_path{}, ref{}, path{};
    std::optional<std::vector<std::string>> paths{};
    std::optional<std::int64_t> max_count{}, skip{};
    std::optional<std::string> since{}, until{}, author{}, grep{};
    std::optional<bool> staged{}, name_only{}, stat{}, include_untracked{}, all{}, allow_empty{};
    std::optional<std::int64_t> context_lines{}, start_line{}, end_line{}, index{};
    std::optional<std::string> message{}, branch{}, name{}, remote{}, operation{};
    std::optional<std::string> author_name{}, author_email{};
};

struct Policy {
    std::vector<std::string> allowed_actions;
    std::string managed_branch_prefix;
    bool allow_push = false, allow_worktree_dirty = false;
    std::int64_t max_files = 0, max_output_chars = 0, max_log_count = 0, max_age_days = 0,
                 max_file_bytes = 0;
    std::vector<std::string> allowed_refs, denied_refs, allowed_remotes, allowed_hosts;
    std::string token_env, user_name, user_email;
};

// Everything that an action needs.
struct Call {
    const Request& request;
    const Policy& policy;
    const Repository& repo;
    Progress& progress;
    const toolhost::ProtectedPaths& protected_paths;

    [[nodiscard]] git_repository* git() const { return repo.get(); }
    // The request's paths, checked; includes `path`.
    [[nodiscard]] std::vector<std::string> paths() const;
    // Denies `protected_path` if one of the paths, relative to the repository's top folder, must
    // not be written.
    void need_unprotected(const std::set<std::string>& paths, const std::string& doing) const;
    // Denies `too_many_files`.
    void limit_files(std::size_t count, std::string_view doing) const;
};

// `details` is the action's object in the JSON block. Its lists may be truncated to fit.
struct Answer {
    std::string text;
    Json details = Json::object();
    bool truncated = false;
};

}  // namespace git
