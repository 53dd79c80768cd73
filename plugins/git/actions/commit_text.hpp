// A commit in the format of `git log` and as JSON, without its changes.
#pragma once

#include "actions/request.hpp"

namespace git {

[[nodiscard]] std::string person(const git_signature* who);  // Name <address>
[[nodiscard]] std::string commit_text(git_commit* commit);
[[nodiscard]] Json commit_json(git_commit* commit);

}  // namespace git
