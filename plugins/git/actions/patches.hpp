// A comparison as text and as a list of files; used by diff, show and log.
#pragma once

#include <string>

#include "actions/request.hpp"

namespace git {

// Diff options with the request's paths, cancellable. Keeps the paths alive while in use.
class DiffOptions {
public:
    explicit DiffOptions(const Call& call);
    DiffOptions(const DiffOptions&) = delete;
    DiffOptions& operator=(const DiffOptions&) = delete;

    [[nodiscard]] git_diff_options* get() { return &options_; }
    void add_flags(std::uint32_t flags) { options_.flags |= flags; }
    // For add_diff: a type change then has two patches, as in git; as a single delta it would have
    // none.
    void split_type_changes() { options_.flags &= ~std::uint32_t{GIT_DIFF_INCLUDE_TYPECHANGE}; }

private:
    TextArray paths_;
    git_diff_options options_ = GIT_DIFF_OPTIONS_INIT;
};

// Finds renames with git's default settings.
void find_renames(git_diff* diff);
// "added", "modified", ... as in the results.
[[nodiscard]] const char* change_name(git_delta_t change);
// The path and, if different, the old one.
[[nodiscard]] Json delta_json(const git_diff_delta& delta);

// Adds the patch (or names, or statistics, as requested) to the text, and files, insertions and
// deletions to the details.
void add_diff(const Call& call, git_diff* diff, Answer& answer, Json& details);

// The changes of a commit relative to its first parent.
[[nodiscard]] Diff commit_diff(const Call& call, git_commit* commit, DiffOptions& options);

}  // namespace git
