// The sandbox features of this kernel; shown by doctor.
#pragma once

#include <nlohmann/json.hpp>

namespace toolhost::sandbox {

// {"release": "6.1.0", "landlock": 3, "seccomp": true, "userns": true, "mountns": true, "sandbox":
// "full", "pidfd": true, "cgroup": "v2"}: landlock is its ABI version, 0 if missing; sandbox is the
// result of `sandbox: required`, "full" or what is missing.
[[nodiscard]] nlohmann::json kernel_features();

}  // namespace toolhost::sandbox
