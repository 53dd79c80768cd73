// The code of a new process between fork and exec. The parent may have had other threads, so any
// lock may be held for ever: only system calls are allowed, no allocation.
#ifndef TOOLHOST_PROCESS_CHILD_HPP
#define TOOLHOST_PROCESS_CHILD_HPP

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace toolhost {

// Before the program starts, its descriptor `fd` becomes a copy of `from`: {2, 1} is 2>&1. Files
// are opened by the caller, with numbers of 10 and more: see above_targets().
struct Redirect {
    int fd;
    int from;
};

namespace detail {

enum class Step : int { folder, descriptors, privileges, signals, filter, program };

// Reported by a child that cannot continue.
struct StartFault {
    Step step;
    int error;
};

// Everything that the child needs, prepared before the fork.
struct ChildPlan {
    const char* file;
    char* const* arguments;
    char* const* environment;
    const char* folder;  // null: keep the current one
    const Redirect* redirects;
    std::size_t redirect_count;
    int last_target;  // the highest descriptor of the program
    int faults;       // receives a StartFault
    pid_t group;      // 0: a new group
    pid_t parent;
    pid_t parent_group;
};

// Enters a Landlock domain: the program and its descendants can signal each other, but not the
// process that started it or its threads, which can still kill them. Kernels before Landlock 6
// (Linux 6.12) do not support it; there only filter_calls() applies.
inline int scope_signals() {
    constexpr int kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
    constexpr unsigned kAskVersion = 1, kPathBeneath = 1;
    constexpr std::uint64_t kRefer = 1u << 13, kSignals = 1u << 1;
    if (::syscall(kCreateRuleset, nullptr, 0, kAskVersion) < 6) return 0;
    // Without kRefer a domain forbids moving files between folders.
    const struct { std::uint64_t files, network, scoped; } ruleset{kRefer, 0, kSignals};
    const auto set = static_cast<int>(::syscall(kCreateRuleset, &ruleset, sizeof ruleset, 0));
    const int root = set < 0 ? -1 : ::open("/", O_PATH | O_CLOEXEC);
    const struct {
        std::uint64_t allowed;
        std::int32_t folder;
    } __attribute__((packed)) rule{kRefer, root};
    const bool scoped = root >= 0 && ::syscall(kAddRule, set, kPathBeneath, &rule, 0) == 0 &&
                        ::syscall(kRestrictSelf, set, 0) == 0;
    const int error = scoped ? 0 : errno;
    if (root >= 0) ::close(root);
    if (set >= 0) ::close(set);
    return error;
}

// Keeps processes from leaving the group, which is used to kill them, and from signalling the
// process that started them, which serves others too. Targets that the arguments do not identify
// (all processes, a thread, a handle) are refused. Does not use libseccomp, because a plugin should
// not need a library for it. Threads of the starter are not recognized by their own number;
// scope_signals() protects them.
inline int filter_calls([[maybe_unused]] const ChildPlan& plan, [[maybe_unused]] bool grouped) {
#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
    constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#else
    constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#endif
    constexpr unsigned kOtherNumbers = 0x40000000;  // x32: the same calls under other numbers
    const auto parent = static_cast<unsigned>(plan.parent);
    const auto parent_group = static_cast<unsigned>(-plan.parent_group);
    const unsigned all_processes = ~0u;
    const unsigned own_group = grouped ? all_processes : 0;  // if it is the parent's too
    const auto equal = [](unsigned value, unsigned char skipped) {
        return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, skipped, 0, value};
    };
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        equal(kArchitecture, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 14, 0),
        equal(SYS_setpgid, 13),
        equal(SYS_setsid, 12),
        equal(SYS_pidfd_send_signal, 11),
        equal(SYS_tkill, 10),
        equal(SYS_kill, 4),
        equal(SYS_tgkill, 3),
        equal(SYS_rt_sigqueueinfo, 2),
        equal(SYS_rt_tgsigqueueinfo, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        // The target: the lower half, because the kernel ignores the rest.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
        equal(parent, 3),
        equal(parent_group, 2),
        equal(all_processes, 1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof code / sizeof code[0], code};
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return errno;
#endif
    return 0;
}

// Handlers and masks are the caller's; the program starts without. All signals are blocked until
// then.
inline void reset_signals() {
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal)  // some cannot be set, and need not be
        if (signal != SIGKILL && signal != SIGSTOP) ::sigaction(signal, &usual, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] inline void report_and_exit(const ChildPlan& plan, Step step) {
    const StartFault fault{step, errno};
    // If even this fails, the exit code is the only report.
    if (::write(plan.faults, &fault, sizeof fault) < 0) ::_exit(126);
    ::_exit(127);
}

inline void place_descriptors(const ChildPlan& plan) {
    for (std::size_t i = 0; i < plan.redirect_count; ++i)
        if (::dup2(plan.redirects[i].from, plan.redirects[i].fd) < 0)
            report_and_exit(plan, Step::descriptors);
    // Closes files of other code, which may not be marked close-on-exec.
    constexpr unsigned kCloseOnExec = 4;
    const auto first = static_cast<unsigned>(plan.last_target) + 1;
    if (::syscall(SYS_close_range, first, ~0u, kCloseOnExec) != 0)
        report_and_exit(plan, Step::descriptors);
}

[[noreturn]] inline void become_program(const ChildPlan& plan) {
    // Refused in a worker's sandbox, whose reaper kills the program instead; also if no group can
    // be created.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && ::getppid() != plan.parent)
        ::_exit(127);
    const bool grouped = ::setpgid(0, plan.group) == 0;
    if (plan.folder && ::chdir(plan.folder) != 0) report_and_exit(plan, Step::folder);
    place_descriptors(plan);
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) report_and_exit(plan, Step::privileges);
    if ((errno = scope_signals()) != 0) report_and_exit(plan, Step::signals);
    if ((errno = filter_calls(plan, grouped)) != 0) report_and_exit(plan, Step::filter);
    reset_signals();
    ::execve(plan.file, plan.arguments, plan.environment);
    report_and_exit(plan, Step::program);
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_PROCESS_CHILD_HPP
