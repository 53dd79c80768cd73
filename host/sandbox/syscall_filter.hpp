// The system calls that foreign code does not get.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Whether this kernel takes a filter with all that ours does.
[[nodiscard]] bool has_syscall_filters();

// `landlock` is the version in force, 0 for none: what it does not hold is refused here as far as
// that can be told from a call's numbers.
[[nodiscard]] Result<void> filter_system_calls(const Confinement& confinement, int landlock,
                                               bool own_processes);

}  // namespace toolhost::sandbox
