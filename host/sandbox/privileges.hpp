// Drops privileges: user namespace, capabilities, no_new_privs.
#pragma once

#include "host/base/error.hpp"

namespace toolhost::sandbox {

// Whether a process may create a user namespace and keep its user id in it. Tried in a child.
[[nodiscard]] bool user_namespaces_work();

// Enters one, together with other new namespaces (CLONE_NEW...); all or nothing.
[[nodiscard]] bool enter_user_namespace(int more);

// The kernel counts processes per user and user namespace. In its own namespace a process counts
// only what it starts. Returns false if unavailable, or useless because the kernel never limits the
// machine's root.
[[nodiscard]] bool enter_own_user_namespace();

[[nodiscard]] Result<void> set_no_new_privileges();

// Drops all capabilities from all sets permanently.
[[nodiscard]] Result<void> drop_capabilities();

}  // namespace toolhost::sandbox
