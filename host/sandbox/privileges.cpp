#include "host/sandbox/privileges.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "host/os/descriptor.hpp"

namespace toolhost::sandbox {
namespace {

Error privilege_failed(const std::string& what) {
    return {
        ErrorCode::sandbox_unavailable, "sandbox: " + what + ": " + os::system_message(errno), {}};
}

bool write_once(const char* path, const char* text, std::size_t size) {
    os::Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
    return file && ::write(file.get(), text, size) == static_cast<ssize_t>(size);
}

// Allocates nothing, because it also runs in the forked child of a process with threads.
bool write_maps(unsigned uid, unsigned gid) {
    char map[64];
    if (!write_once("/proc/self/setgroups", "deny", 4)) return false;
    int size = std::snprintf(map, sizeof map, "%u %u 1", uid, uid);
    if (!write_once("/proc/self/uid_map", map, static_cast<std::size_t>(size))) return false;
    size = std::snprintf(map, sizeof map, "%u %u 1", gid, gid);
    return write_once("/proc/self/gid_map", map, static_cast<std::size_t>(size));
}

// Root of the machine, not of a namespace, whose root is an ordinary user outside of it.
bool is_machines_root() {
    std::string map;
    unsigned inside = 1, outside = 1;
    if (::geteuid() != 0 || !os::read_file("/proc/self/uid_map", 4096, map))
        return ::geteuid() == 0;
    return std::sscanf(map.c_str(), "%u %u", &inside, &outside) == 2 && inside == 0 && outside == 0;
}

}  // namespace

// A process that enters a user namespace without an id map cannot leave it again, so a child tries
// it first.
bool user_namespaces_work() {
    const unsigned uid = ::geteuid(), gid = ::getegid();
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child == 0) ::_exit(::unshare(CLONE_NEWUSER) == 0 && write_maps(uid, gid) ? 0 : 1);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool enter_user_namespace(int more) {
    const unsigned uid = ::geteuid(), gid = ::getegid();
    if (!user_namespaces_work() || ::unshare(CLONE_NEWUSER | more) != 0) return false;
    if (!write_maps(uid, gid)) ::_exit(1);  // it can neither go back nor continue
    return true;
}

bool enter_own_user_namespace() {
    return !is_machines_root() && enter_user_namespace(0);
}

Result<void> set_no_new_privileges() {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return privilege_failed("no_new_privs");
    return {};
}

// PR_SET_DUMPABLE stays on: without it /proc/PID would belong to root and the host could not
// inspect its own worker. Landlock, which also restricts ptrace, keeps other workers away.
Result<void> drop_capabilities() {
    // These two need CAP_SETPCAP. A process without it cannot regain anything: no_new_privs keeps
    // exec from granting more.
    for (unsigned long cap = 0; ::prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; ++cap)
        if (::prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 && errno != EPERM)
            return privilege_failed("capability bounding set");
    if (::prctl(PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS, 0, 0, 0) != 0 &&
        errno != EPERM)
        return privilege_failed("securebits");

    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL)
        return privilege_failed("ambient capabilities");
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
    if (::syscall(SYS_capset, &header, none) != 0) return privilege_failed("capset");
    return {};
}

}  // namespace toolhost::sandbox
