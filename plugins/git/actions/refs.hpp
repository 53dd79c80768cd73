// Names of commits: their form, what the policy allows of them, and what they stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "actions/request.hpp"

namespace git {

// The branch that HEAD is on, also one without a commit; nothing if HEAD is detached.
[[nodiscard]] std::optional<std::string> current_branch(git_repository* repository);

// Whether the policy's patterns allow the ref, "refs/heads/main", by its full or short name.
[[nodiscard]] bool ref_allowed(const Policy& policy, std::string_view full_name);

// Whether they leave nothing out, so that nothing need be looked up for them.
[[nodiscard]] bool allows_all_refs(const Policy& policy);

// What a ref of a request names. Denies `invalid_ref` for a malformed or forbidden one, fails for
// one that names nothing.
[[nodiscard]] Object resolve(const Call& call, const std::string& ref);
[[nodiscard]] Commit resolve_commit(const Call& call, const std::string& ref);
// Denies `since_not_allowed` for a commit that max_age_days hides; HEAD's own is shown anyway.
// resolve() asks it of what it finds.
void need_young(const Call& call, const git_commit* commit);
// HEAD's commit; nothing on a branch without any.
[[nodiscard]] Commit head_commit(const Call& call);
[[nodiscard]] Tree tree_of(const Commit& commit);

// "a..b" or "a...b"; an empty side is HEAD.
struct Range {
    std::string from, to;
    bool symmetric = false;
};
[[nodiscard]] std::optional<Range> parse_range(std::string_view ref);

// The name of a branch or a tag that is to be made. Denies `invalid_ref`.
void check_new_name(const Call& call, const std::string& name, std::string_view full_name);
// Denies `branch_prefix_required` unless the policy lets the branch be changed.
void need_managed(const Policy& policy, const std::optional<std::string>& branch,
                  std::string_view doing);

}  // namespace git
