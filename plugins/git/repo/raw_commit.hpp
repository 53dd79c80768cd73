// Reads the header lines of a commit in place. A walk reads thousands of commits and shows a few;
// parsing them with libgit2 would cost more than unpacking them.
#pragma once

#include <git2.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace git {

// The fields of a commit that a walk needs.
struct CommitLinks {
    git_oid tree{};
    std::int64_t time = 0;  // of the committer; orders the history
    std::vector<git_oid> parents{};
};

// Fails if it is not a commit.
[[nodiscard]] CommitLinks links_of(std::string_view raw);
[[nodiscard]] std::string_view author_of(std::string_view raw);  // Name <address>
[[nodiscard]] std::string_view message_of(std::string_view raw);

}  // namespace git
