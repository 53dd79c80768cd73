// Refuses system calls to foreign code.
#pragma once

#include "host/base/error.hpp"
#include "host/sandbox/confinement.hpp"

namespace toolhost::sandbox {

// Whether this kernel supports all features of the filter.
[[nodiscard]] bool has_syscall_filters();

// `landlock` is the active version, 0 for none. The filter refuses what that version cannot
// restrict, as far as the numeric arguments of a call allow.
[[nodiscard]] Result<void> filter_system_calls(const Confinement& confinement, int landlock,
                                               bool own_processes);

}  // namespace toolhost::sandbox
