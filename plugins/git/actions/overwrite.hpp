// Protects uncommitted changes from checkout and stash.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "actions/request.hpp"

namespace git {

// What counts as uncommitted in addition to tracked files that differ from HEAD.
struct Counting {
    bool missing = true;     // missing files, which have no content to lose
    bool untracked = false;  // untracked files that are not ignored
};
// The paths of uncommitted files, limited to the request's paths if there are any.
[[nodiscard]] std::set<std::string> uncommitted(const Call& call, Counting counted);

// Denies `dirty_worktree` unless the policy allows uncommitted changes.
void need_clean(const Call& call, std::string_view doing, bool count_missing = true);
// The same for untracked files that the comparison with the working tree would overwrite.
void need_no_untracked(const Call& call, git_index* index, git_diff* to_write,
                       std::string_view doing);

// Reports conflicting files and stops before anything is written. libgit2 itself follows a link in
// place of a folder when it overwrites.
class Checkout {
public:
    Checkout(const Call& call, unsigned strategy) : call_(call) { fill(options, strategy); }
    Checkout(const Checkout&) = delete;
    Checkout& operator=(const Checkout&) = delete;

    void fill(git_checkout_options& to, unsigned strategy) {
        to.checkout_strategy = strategy;
        to.notify_flags = GIT_CHECKOUT_NOTIFY_CONFLICT | GIT_CHECKOUT_NOTIFY_UPDATED;
        to.notify_payload = this;
        to.notify_cb = [](git_checkout_notify_t why, const char* path, const git_diff_file*,
                          const git_diff_file*, const git_diff_file*,
                          void* self) { return static_cast<Checkout*>(self)->notice(why, path); };
    }

    // Throws with the reason if the checkout failed.
    void finish(int code, const std::string& what) const;

    git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;

private:
    int notice(git_checkout_notify_t why, const char* path);

    const Call& call_;
    std::vector<std::string> conflicts_;
    std::string escape_;
    std::set<std::string> guarded_;  // the protected path that stopped it
};

}  // namespace git
