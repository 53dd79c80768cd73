// A comparison as text and as a list of files; diff, show and log share it.
#pragma once

#include <string>

#include "actions/request.hpp"

namespace git {

// Options with the request's paths, cancellable. Keeps the paths while the options are used.
class DiffOptions {
public:
    explicit DiffOptions(const Call& call);
    DiffOptions(const DiffOptions&) = delete;
    DiffOptions& operator=(const DiffOptions&) = delete;

    [[nodiscard]] git_diff_options* get() { return &options_; }
    void add_flags(std::uint32_t flags) { options_.flags |= flags; }
    // For add_diff: a file that became a link, or the like, has then two patches, as with git; as
    // one delta it would have none.
    void split_type_changes() { options_.flags &= ~std::uint32_t{GIT_DIFF_INCLUDE_TYPECHANGE}; }

private:
    TextArray paths_;
    git_diff_options options_ = GIT_DIFF_OPTIONS_INIT;
};

// Renames, as git finds them without being asked to.
void find_renames(git_diff* diff);
// "added", "modified", ... as the answers say it.
[[nodiscard]] const char* change_name(git_delta_t change);
// The path and, where it was another, the old one.
[[nodiscard]] Json delta_json(const git_diff_delta& delta);

// Adds the patch (or names, or statistics, as the request asks) to the text, and files, insertions
// and deletions to the details.
void add_diff(const Call& call, git_diff* diff, Answer& answer, Json& details);

// The changes of a commit against its first parent.
[[nodiscard]] Diff commit_diff(const Call& call, git_commit* commit, DiffOptions& options);

}  // namespace git
