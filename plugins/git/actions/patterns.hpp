// Patterns of the policy: names of refs, remotes and hosts.
#pragma once

#include <string>
#include <vector>

namespace git {

// * and ? match, also across '/'.
[[nodiscard]] bool any_matches(const std::vector<std::string>& patterns, const std::string& text);

}  // namespace git
