// A commit's header lines, read where they stand. A walk looks at thousands of commits for a few it
// shows; libgit2's parsed ones cost more than unpacking them.
#pragma once

#include <git2.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace git {

// What a walk needs of a commit.
struct CommitLinks {
    git_oid tree{};
    std::int64_t time = 0;  // the committer's, by which histories are ordered
    std::vector<git_oid> parents{};
};

// Fails if it is not a commit.
[[nodiscard]] CommitLinks links_of(std::string_view raw);
[[nodiscard]] std::string_view author_of(std::string_view raw);  // Name <address>
[[nodiscard]] std::string_view message_of(std::string_view raw);

}  // namespace git
