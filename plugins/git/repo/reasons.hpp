// The reasons for which an action may be denied, and their meanings.
#pragma once

#include <array>
#include <toolhost/denial_reasons.hpp>

namespace git {

inline constexpr std::array<toolhost::DenialReason, 13> kReasons{{
    {"action_not_allowed", "the action is not in allowed_actions"},
    {"push_not_allowed", "allow_push is false"},
    {"branch_prefix_required", "the branch does not start with managed_branch_prefix"},
    {"invalid_ref", "the ref is malformed, or denied by allowed_refs and denied_refs"},
    {"since_not_allowed", "since, or a given commit, is older than max_age_days"},
    {"invalid_since_format", "since or until is not a date"},
    {"dirty_worktree", "files have uncommitted changes, and allow_worktree_dirty is false"},
    {"too_many_files", "the action would touch more than max_files files"},
    {"protected_path",
     "the action would write files that other programs run or trust, or toolhost's own files"},
    {"path_not_allowed", "a path leaves the workspace or the repository"},
    {"remote_not_allowed", "the remote's name is not in allowed_remotes"},
    {"scheme_not_allowed", "the remote is neither an https URL nor in the workspace"},
    {"host_not_allowed", "the remote's host is not in allowed_hosts"},
}};
using Reason = toolhost::ReasonFrom<kReasons>;

}  // namespace git
