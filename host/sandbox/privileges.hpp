// Drops privileges: user namespace, capabilities, no_new_privs.
#pragma once

#include "host/base/error.hpp"

namespace toolhost::sandbox {

// Whether a process may make a user namespace and live in it under its own name. Tried in a child.
[[nodiscard]] bool user_namespaces_work();

// Enters one, and other new namespaces (CLONE_NEW...) with it; all or nothing.
[[nodiscard]] bool enter_user_namespace(int more);

// The kernel counts processes per user and user namespace; in a namespace of its own a process
// counts only what it starts. False: not to be had, or it would do nothing (the kernel counts, but
// never limits, what belongs to the machine's root).
[[nodiscard]] bool enter_own_user_namespace();

[[nodiscard]] Result<void> set_no_new_privileges();

// Every capability, in every set, for good.
[[nodiscard]] Result<void> drop_capabilities();

}  // namespace toolhost::sandbox
