// Patterns of the policy for names of refs, remotes and hosts.
#pragma once

#include <string>
#include <vector>

namespace git {

// * and ? also match '/'.
[[nodiscard]] bool any_matches(const std::vector<std::string>& patterns, const std::string& text);

}  // namespace git
