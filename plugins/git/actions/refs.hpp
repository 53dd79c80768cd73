// Names of commits: checks their form and the policy, and resolves them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "actions/request.hpp"

namespace git {

// The branch of HEAD, which may have no commits; nothing if HEAD is detached.
[[nodiscard]] std::optional<std::string> current_branch(git_repository* repository);

// Whether the policy's patterns allow the ref, "refs/heads/main", by its full or short name.
[[nodiscard]] bool ref_allowed(const Policy& policy, std::string_view full_name);

// Whether they allow everything, so that refs need not be looked up.
[[nodiscard]] bool allows_all_refs(const Policy& policy);

// Resolves a ref of a request. Denies `invalid_ref` for a malformed or forbidden one, fails for one
// that does not exist.
[[nodiscard]] Object resolve(const Call& call, const std::string& ref);
[[nodiscard]] Commit resolve_commit(const Call& call, const std::string& ref);
// Denies `since_not_allowed` for a commit that max_age_days hides, except HEAD's own. Called by
// resolve().
void check_age(const Call& call, const git_commit* commit);
// HEAD's commit; null on a branch without commits.
[[nodiscard]] Commit head_commit(const Call& call);
[[nodiscard]] Tree tree_of(const Commit& commit);

// "a..b" or "a...b"; an empty side means HEAD.
struct Range {
    std::string from, to;
    bool symmetric = false;
};
[[nodiscard]] std::optional<Range> parse_range(std::string_view ref);

// Checks the name of a new branch or tag. Denies `invalid_ref`.
void check_new_name(const Call& call, const std::string& name, std::string_view full_name);
// Denies `branch_prefix_required` unless the policy allows changes of the branch.
void need_managed(const Policy& policy, const std::optional<std::string>& branch,
                  std::string_view doing);

}  // namespace git
