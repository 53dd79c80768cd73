#include "host/runtime/kernel_features.hpp"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

#include "host/runtime/descriptor.hpp"

namespace toolhost::runtime {
namespace {

long landlock_version() {
    long version =
        ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return std::max(version, 0L);
}

bool has_seccomp_filters() {
    unsigned action = SECCOMP_RET_KILL_PROCESS;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

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
            {"seccomp", has_seccomp_filters()},
            {"pidfd", has_pidfd()},
            {"cgroup", ::access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 ? "v2" : "none"}};
}

}  // namespace toolhost::runtime
