// The author and committer of commits, tags and reflog entries.
#pragma once

#include "actions/request.hpp"

namespace git {

// The policy's user, else the repository's configuration, else the request's author.
[[nodiscard]] Signature identity(const Call& call);
// The request's author if given, otherwise the identity.
[[nodiscard]] Signature commit_author(const Call& call);
// For reflog entries written later; without an identity libgit2 writes "unknown".
void set_reflog_identity(const Call& call);

}  // namespace git
