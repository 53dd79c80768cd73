#include "host/runtime/kernel_features.hpp"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/runtime/cgroup.hpp"
#include "host/runtime/descriptor.hpp"
#include "host/runtime/landlock.hpp"
#include "host/runtime/privileges.hpp"
#include "host/runtime/protected_mounts.hpp"
#include "host/runtime/sandbox.hpp"
#include "host/runtime/syscall_filter.hpp"

namespace toolhost::runtime {
namespace {

bool has_pidfd() {
    return static_cast<bool>(
        Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))));
}

}  // namespace

nlohmann::json kernel_features() {
    utsname name{};
    const bool known = ::uname(&name) == 0;
    return {{"release", known ? name.release : "unknown"},
            {"landlock", landlock_version()},
            {"seccomp", has_syscall_filters()},
            {"userns", user_namespaces_work()},
            {"mountns", mount_namespaces_work()},
            {"sandbox", sandbox_in_force(policy::Sandbox::required)},
            {"pidfd", has_pidfd()},
            {"cgroup", delegated_group().empty() ? "not delegated" : delegated_group()}};
}

}  // namespace toolhost::runtime
