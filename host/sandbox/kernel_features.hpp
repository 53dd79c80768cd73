// What this kernel offers to hold plugins with; doctor shows it.
#pragma once

#include <nlohmann/json.hpp>

namespace toolhost::sandbox {

// {"release": "6.1.0", "landlock": 3, "seccomp": true, "userns": true, "mountns": true, "sandbox":
// "full", "pidfd": true, "cgroup": "v2"}: landlock is its ABI version, 0 where it is missing;
// sandbox is what `sandbox: required` comes to, "full" or what is missing.
[[nodiscard]] nlohmann::json kernel_features();

}  // namespace toolhost::sandbox
