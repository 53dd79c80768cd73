#include "host/sandbox/kernel_features.hpp"

#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/os/descriptor.hpp"
#include "host/sandbox/cgroup.hpp"
#include "host/sandbox/landlock.hpp"
#include "host/sandbox/privileges.hpp"
#include "host/sandbox/protected_mounts.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/sandbox/syscall_filter.hpp"

namespace toolhost::sandbox {
namespace {

bool has_pidfd() {
    return static_cast<bool>(
        os::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))));
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
            {"sandbox", sandbox_in_force(Enforcement::required)},
            {"pidfd", has_pidfd()},
            {"cgroup", delegated_group().empty() ? "not delegated" : delegated_group()}};
}

}  // namespace toolhost::sandbox
