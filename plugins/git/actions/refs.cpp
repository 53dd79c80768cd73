#include "actions/refs.hpp"

#include <algorithm>
#include <chrono>

#include "actions/patterns.hpp"

namespace git {
namespace {

constexpr std::string_view kRemotes = "refs/remotes/";
constexpr std::string_view kRefsPrefixes[] = {"refs/heads/", "refs/tags/", kRemotes};

std::string_view short_name(std::string_view full) {
    for (const auto prefix : kRefsPrefixes)
        if (full.substr(0, prefix.size()) == prefix) return full.substr(prefix.size());
    return full;
}

// The names of a ref that a pattern may match: the full name, the short name and, for a remote's
// branch, the branch's own. A remote's name may contain '/' too; `every_tail` includes every
// possible split.
std::vector<std::string> names_of(std::string_view full, bool every_tail) {
    std::vector<std::string> names{std::string(full), std::string(short_name(full))};
    if (full.substr(0, kRemotes.size()) != kRemotes) return names;
    auto tail = full.substr(kRemotes.size());
    for (std::size_t cut; (cut = tail.find('/')) != std::string_view::npos;) {
        tail.remove_prefix(cut + 1);
        names.emplace_back(tail);
        if (!every_tail) break;
    }
    return names;
}

bool matches(const std::vector<std::string>& patterns, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return any_matches(patterns, name); });
}

[[noreturn]] void refuse_ref(std::string_view ref, const std::string& why) {
    deny("invalid_ref", "ref '" + std::string(ref) + "' " + why);
}

// The name before any suffix: HEAD of HEAD~2, main of main:src/a.c.
std::string_view base_of(std::string_view ref) {
    auto base = ref.substr(0, ref.find_first_of("~^:"));
    return base.substr(0, base.find("@{"));
}

void check_form(std::string_view ref) {
    if (ref.empty()) refuse_ref(ref, "is empty; use a branch, a tag or a commit");
    if (ref.front() == '-') refuse_ref(ref, "must not start with '-'");
    if (base_of(ref).empty() && ref.substr(0, 2) != "@{")
        refuse_ref(ref, "does not start with a name; search messages with action log and grep");
    if (ref.find("^{/") != std::string_view::npos)
        refuse_ref(ref, "searches messages; use action log with grep");
    if (ref.find("..") != std::string_view::npos && ref.find(':') == std::string_view::npos)
        refuse_ref(ref, "is a range, but one commit is required");
    for (const char c : base_of(ref))
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
            std::string_view("\\*?[").find(c) != std::string_view::npos)
            refuse_ref(ref, "has a character that is not allowed in a ref");
}

// The commits of the refs that the policy allows.
std::vector<git_oid> allowed_tips(const Call& call) {
    std::vector<git_oid> tips;
    const auto all =
        make<ReferenceIterator>("cannot list the refs", git_reference_iterator_new, call.git());
    const char* name = nullptr;
    for (int code; (code = git_reference_next_name(&name, all.get())) != GIT_ITEROVER;) {
        check(code, "cannot list the refs");
        if (!ref_allowed(call.policy, name)) continue;
        const auto ref =
            find<Reference>("cannot read a ref", git_reference_lookup, call.git(), name);
        git_object* commit = nullptr;
        // The target of refs/remotes/origin/HEAD is listed under its own name.
        if (ref && git_reference_type(ref.get()) == GIT_REFERENCE_SYMBOLIC) continue;
        if (!ref || git_reference_peel(&commit, ref.get(), GIT_OBJECT_COMMIT) != 0) continue;
        tips.push_back(*git_object_id(commit));
        git_object_free(commit);
    }
    return tips;
}

// If patterns are set, a hash, an upstream or a reflog entry must not reach commits that a name may
// not.
void check_reachable(const Call& call, const std::string& ref, const git_object* object) {
    git_object* commit = nullptr;
    if (git_object_peel(&commit, object, GIT_OBJECT_COMMIT) != 0)
        refuse_ref(ref, "is not a commit, and the policy allows only some refs");
    const Object owner(commit);
    const auto tips = allowed_tips(call);
    const int reachable =
        git_graph_reachable_from_any(call.git(), git_object_id(commit), tips.data(), tips.size());
    check(reachable, "cannot walk the history");
    if (reachable == 0)
        refuse_ref(ref, "is not reachable from a ref that the policy allows (allowed_refs)");
}

void check_base(const Call& call, const std::string& ref) {
    auto base = std::string(base_of(ref));
    if (base.empty() || base == "@" || base == "HEAD") {
        if (const auto branch = current_branch(call.git())) base = *branch;
    }
    git_reference* raw = nullptr;
    if (git_reference_dwim(&raw, call.git(), base.c_str()) != 0) return;  // it is a hash
    const Reference found(raw);
    if (!ref_allowed(call.policy, git_reference_name(raw)))
        refuse_ref(ref, "is not allowed by the policy (allowed_refs, denied_refs)");
}

// HEAD's own commit is in the working tree, whatever its age.
bool is_head(const Call& call, const git_oid* id) {
    git_oid head;
    return git_reference_name_to_id(&head, call.git(), "HEAD") == 0 && git_oid_equal(&head, id);
}

Object parse(const Call& call, const std::string& ref) {
    git_object* object = nullptr;
    const int code = git_revparse_single(&object, call.git(), ref.c_str());
    if (code == GIT_ENOTFOUND)
        fail("no branch, tag or commit '" + ref +
             "'; list them with actions branches, tags and log");
    if (code == GIT_EINVALIDSPEC) refuse_ref(ref, "is malformed");
    if (code == GIT_EAMBIGUOUS) fail("'" + ref + "' is ambiguous; use more characters");
    check(code, "cannot resolve '" + ref + "'");
    return Object(object);
}

}  // namespace

std::optional<std::string> current_branch(git_repository* repository) {
    const auto head = find<Reference>("cannot read HEAD", git_reference_lookup, repository, "HEAD");
    if (!head || git_reference_type(head.get()) != GIT_REFERENCE_SYMBOLIC) return std::nullopt;
    return std::string(short_name(git_reference_symbolic_target(head.get())));
}

bool ref_allowed(const Policy& policy, std::string_view full_name) {
    // When in doubt, deny: any split may be denied, only the nearest one may be allowed.
    return !matches(policy.denied_refs, names_of(full_name, true)) &&
           matches(policy.allowed_refs, names_of(full_name, false));
}

bool allows_all_refs(const Policy& policy) {
    return policy.denied_refs.empty() &&
           std::find(policy.allowed_refs.begin(), policy.allowed_refs.end(), "*") !=
               policy.allowed_refs.end();
}

Object resolve(const Call& call, const std::string& ref) {
    check_form(ref);
    if (!allows_all_refs(call.policy)) {
        check_base(call, ref);
        const auto commit = ref.substr(0, ref.find(':'));
        check_reachable(call, ref, parse(call, commit).get());
    }
    if (call.policy.max_age_days > 0) {
        const auto named = parse(call, ref.substr(0, ref.find(':')));
        git_object* commit = nullptr;
        if (git_object_peel(&commit, named.get(), GIT_OBJECT_COMMIT) != 0)
            deny("since_not_allowed",
                 "'" + ref +
                     "' is not a commit, and the policy limits the age of commits (max_age_days)");
        const Commit owner(reinterpret_cast<git_commit*>(commit));
        check_age(call, owner.get());
    }
    return parse(call, ref);
}

void check_age(const Call& call, const git_commit* commit) {
    using namespace std::chrono;
    constexpr std::int64_t kDaySeconds = 86400;
    const auto days = call.policy.max_age_days;
    if (days == 0 || is_head(call, git_commit_id(commit))) return;
    const auto now = duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
    if (git_commit_time(commit) >= now - days * kDaySeconds) return;
    deny("since_not_allowed", "the policy limits history to the last " + std::to_string(days) +
                                  " days (max_age_days), and commit " +
                                  hex(*git_commit_id(commit), 7) + " is older");
}

Commit resolve_commit(const Call& call, const std::string& ref) {
    const auto object = resolve(call, ref);
    git_object* commit = nullptr;
    check(git_object_peel(&commit, object.get(), GIT_OBJECT_COMMIT),
          "'" + ref + "' is not a commit");
    return Commit(reinterpret_cast<git_commit*>(commit));
}

Commit head_commit(const Call& call) {
    git_oid id;
    const int code = git_reference_name_to_id(&id, call.git(), "HEAD");
    if (code == GIT_ENOTFOUND) return {};
    check(code, "cannot read HEAD");
    return resolve_commit(call, "HEAD");
}

Tree tree_of(const Commit& commit) {
    return commit ? make<Tree>("cannot read the tree", git_commit_tree, commit.get()) : Tree();
}

std::optional<Range> parse_range(std::string_view ref) {
    const auto dots = ref.find("..");
    if (dots == std::string_view::npos || ref.substr(0, dots).find(':') != std::string_view::npos)
        return std::nullopt;
    Range range;
    range.symmetric = ref.substr(dots, 3) == "...";
    const auto or_head = [](std::string_view side) {
        return side.empty() ? std::string("HEAD") : std::string(side);
    };
    range.from = or_head(ref.substr(0, dots));
    range.to = or_head(ref.substr(dots + (range.symmetric ? 3 : 2)));
    return range;
}

void check_new_name(const Call& call, const std::string& name, std::string_view full_name) {
    int valid = 0;
    check(git_reference_name_is_valid(&valid, std::string(full_name).c_str()),
          "cannot check a name");
    if (valid == 0 || name.empty() || name.front() == '-' || name == "HEAD")
        refuse_ref(name, "is not a valid git name");
    if (!ref_allowed(call.policy, full_name))
        refuse_ref(name, "is not allowed by the policy (allowed_refs, denied_refs)");
}

void need_managed(const Policy& policy, const std::optional<std::string>& branch,
                  std::string_view doing) {
    const auto& prefix = policy.managed_branch_prefix;
    if (prefix.empty()) return;
    if (branch && branch->size() > prefix.size() && branch->compare(0, prefix.size(), prefix) == 0)
        return;
    const auto where =
        branch ? "branch '" + *branch + "'" : std::string("no branch (detached HEAD)");
    deny("branch_prefix_required", std::string(doing) + " requires a branch that starts with '" +
                                       prefix + "', but this is " + where +
                                       "; create one with action create_branch");
}

}  // namespace git
