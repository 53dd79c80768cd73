#include "host/sandbox/syscall_filter.hpp"

#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <string>

#include "host/os/descriptor.hpp"
#include "host/sandbox/landlock.hpp"
#include "host/sandbox/refused_calls.hpp"

namespace toolhost::sandbox {
namespace {

// The kernel reads 32 bits of an int, the filter sees 64: the upper bits must not prevent a match.
constexpr std::uint64_t kInt = 0xffffffff;

constexpr std::uint64_t kNamespaces[] = {CLONE_NEWUSER,   CLONE_NEWPID, CLONE_NEWNS,
                                         CLONE_NEWNET,    CLONE_NEWIPC, CLONE_NEWUTS,
                                         CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME */};

class Filter {
public:
    Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW)) {
        if (!context_) {
            fault_ = ENOMEM;
            return;
        }
        // The numbers of another architecture mean other calls, so all of them fail.
        keep(::seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)));
        // A binary search, because every call of the worker is filtered.
        keep(::seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2));
    }
    ~Filter() {
        if (context_) ::seccomp_release(context_);
    }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    // Refuses the call entirely, or for matching arguments.
    template <class... Condition>
    void refuse(const RefusedCall& call, std::uint32_t action, Condition... condition) {
        int number = ::seccomp_syscall_resolve_name(call.name);
        if (number == __NR_SCMP_ERROR) number = call.number;
        if (fault_ || number < 0) return;  // not on this architecture
        keep(::seccomp_rule_add(context_, action, number, sizeof...(condition), condition...));
    }

    int load() {
        if (!fault_) keep(::seccomp_load(context_));
        return fault_;
    }

private:
    void keep(int answer) {
        if (answer < 0 && !fault_) fault_ = -answer;
    }

    scmp_filter_ctx context_;
    int fault_ = 0;
};

constexpr scmp_arg_cmp equal(unsigned argument, std::uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, kInt, value & kInt};
}
constexpr scmp_arg_cmp bits(unsigned argument, std::uint64_t mask, std::uint64_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}
constexpr scmp_arg_cmp compare(unsigned argument, scmp_compare how, std::uint64_t value) {
    return {argument, how, value, 0};
}

const std::uint32_t kPermission = SCMP_ACT_ERRNO(EPERM);
const std::uint32_t kAccess = SCMP_ACT_ERRNO(EACCES);

void refuse_parts_of_calls(Filter& filter) {
    // Its flags are in memory, which a filter cannot read. The C library falls back to clone.
    filter.refuse({"clone3", 435}, SCMP_ACT_ERRNO(ENOSYS));
    for (auto flag : kNamespaces) filter.refuse({"clone"}, kPermission, bits(0, flag, flag));
    filter.refuse({"personality"}, kPermission, compare(0, SCMP_CMP_NE, kInt));
    // Injecting input into the terminal from which the host may have been started.
    filter.refuse({"ioctl"}, kPermission, equal(1, TIOCSTI));
    filter.refuse({"ioctl"}, kPermission, equal(1, 0x541C /* TIOCLINUX */));
    for (std::uint64_t type : kFileSystemIoctls)
        filter.refuse({"ioctl"}, SCMP_ACT_ERRNO(ENOTTY), bits(1, 0xff00, type << 8));
    // Being notified before others open a file, or when they change a folder.
    for (unsigned command : {unsigned{F_SETLEASE}, unsigned{F_NOTIFY}})
        filter.refuse({"fcntl"}, kPermission, equal(1, command));
    // Limits and CPU shares of other processes: the host is the same user.
    filter.refuse({"prlimit64"}, kPermission, compare(0, SCMP_CMP_NE, 0));
    for (const char* name :
         {"sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"})
        filter.refuse({name}, kPermission, compare(0, SCMP_CMP_NE, 0));
    for (const char* name : {"setpriority", "ioprio_set"})
        filter.refuse({name}, kPermission, compare(1, SCMP_CMP_NE, 0));
    filter.refuse({"setpriority"}, kPermission, equal(0, PRIO_USER));
}

// Refuses what would detach a worker's processes from each other and from the host.
void refuse_detaching(Filter& filter) {
    for (const auto& call : kRefusedWithoutOwnProcesses) filter.refuse(call, kPermission);
    filter.refuse({"prctl"}, kPermission, equal(0, PR_SET_PDEATHSIG));
}

void refuse_exec(Filter& filter) {
    for (const char* name : {"execve", "execveat", "fork", "vfork"}) filter.refuse({name}, kAccess);
    filter.refuse({"clone"}, kAccess, bits(0, CLONE_THREAD, 0));
}

// Allows what libc needs to resolve names and to connect; a local daemon's socket is not the
// network.
void refuse_other_families(Filter& filter) {
    filter.refuse({"socket"}, kAccess, compare(0, SCMP_CMP_LT, AF_INET));
    for (std::uint64_t family = AF_INET + 1; family < AF_NETLINK; ++family)
        if (family != AF_INET6) filter.refuse({"socket"}, kAccess, compare(0, SCMP_CMP_EQ, family));
    filter.refuse({"socket"}, kAccess, compare(0, SCMP_CMP_GT, AF_NETLINK));
}

// For kernels whose Landlock does not scope signals. A filter can only compare process numbers.
void refuse_signals(Filter& filter, bool exec) {
    const auto self = static_cast<std::uint64_t>(::getpid());
    for (const char* name : {"rt_sigqueueinfo", "tkill", "pidfd_send_signal"})
        filter.refuse({name}, kPermission);
    // Signals that the kernel sends on behalf of a process.
    for (unsigned command : {unsigned{F_SETOWN}, unsigned{F_SETSIG}, unsigned{F_SETOWN_EX}})
        filter.refuse({"fcntl"}, kPermission, equal(1, command));
    for (unsigned command : {unsigned{FIOSETOWN}, unsigned{SIOCSPGRP}})
        filter.refuse({"ioctl"}, kPermission, equal(1, command));
    for (const char* name : {"tgkill", "rt_tgsigqueueinfo"})
        if (!exec) filter.refuse({name}, kPermission, compare(0, SCMP_CMP_NE, self));
    if (!exec) {
        filter.refuse({"kill"}, kPermission, compare(0, SCMP_CMP_NE, self));
        return;
    }
    const auto host = static_cast<std::uint64_t>(::getppid());
    for (const char* name : {"kill", "tgkill", "rt_tgsigqueueinfo"})
        for (std::uint64_t target : {host, ~host + 1, std::uint64_t{1}, ~std::uint64_t{0}})
            filter.refuse({name}, kPermission, equal(0, target));
}

// open(O_RDONLY | O_TRUNC) is not refused by a Landlock without the truncation right.
void refuse_truncation(Filter& filter) {
    filter.refuse({"truncate"}, kPermission);
    filter.refuse({"open"}, kPermission, bits(1, O_ACCMODE | O_TRUNC, O_TRUNC));
    filter.refuse({"openat"}, kPermission, bits(2, O_ACCMODE | O_TRUNC, O_TRUNC));
    filter.refuse({"openat2", 437}, SCMP_ACT_ERRNO(ENOSYS));
}

// Calls that are newer than the table above fail as unknown. libseccomp cannot compare call numbers
// by "greater than", so the filter is written by hand.
int refuse_newer_calls() {
#if defined(__x86_64__) || defined(__aarch64__)
    constexpr unsigned kNewestKnown = 469;  // file_setattr, Linux 6.17
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, kNewestKnown, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return errno;
#endif
    return 0;
}

}  // namespace

bool has_syscall_filters() {
    unsigned action = SECCOMP_RET_ERRNO;
    return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Result<void> filter_system_calls(const Confinement& confinement, int landlock, bool own_processes) {
    Filter filter;
    for (const auto& call : kNeverAllowed) filter.refuse(call, kPermission);
    for (const auto& call : kAbsent) filter.refuse(call, SCMP_ACT_ERRNO(ENOSYS));
    for (const auto& call : kUnsupported) filter.refuse(call, SCMP_ACT_ERRNO(ENOTSUP));
    if (confinement.write.empty())
        for (const auto& call : kRefusedWithoutWriting) filter.refuse(call, kPermission);
    refuse_parts_of_calls(filter);
    if (!confinement.exec || !own_processes) refuse_detaching(filter);

    // Refused calls return an error instead of a trap, which kills the process if signals are
    // blocked.
    if (!confinement.exec) refuse_exec(filter);
    if (!confinement.network)
        filter.refuse({"socket"}, kAccess);
    else
        refuse_other_families(filter);
    // A pair of datagram or raw sockets can be redirected to any local daemon. Stream and seqpacket
    // pairs stay connected to each other.
    constexpr std::uint64_t kTypeBits = 0xf;
    for (std::uint64_t type = 0; type <= kTypeBits; ++type)
        if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
            filter.refuse({"socketpair"}, kAccess, bits(1, kTypeBits, type));
    if (landlock < kLandlockScopesSignals) refuse_signals(filter, confinement.exec);
    if (landlock < kLandlockKnowsTruncate) refuse_truncation(filter);

    int fault = refuse_newer_calls();
    if (fault == 0) fault = filter.load();
    if (fault != 0)
        return Error{ErrorCode::sandbox_unavailable,
                     "sandbox: system call filter: " + os::system_message(fault),
                     {}};
    return {};
}

}  // namespace toolhost::sandbox
