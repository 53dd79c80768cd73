// The author and committer of what git writes.
#pragma once

#include "actions/request.hpp"

namespace git {

// The policy's user, else the repository's configuration, else the request's author.
[[nodiscard]] Signature identity(const Call& call);
// The request's author, where it names one, else the identity.
[[nodiscard]] Signature commit_author(const Call& call);
// For the reflogs of what follows; if unknown, libgit2 writes "unknown".
void set_reflog_identity(const Call& call);

}  // namespace git
