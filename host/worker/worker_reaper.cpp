#include "host/worker/worker_reaper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "host/os/spawn.hpp"
#include "host/os/temp_folder.hpp"
#include "host/sandbox/cgroup.hpp"
#include "host/sandbox/privileges.hpp"
#include "host/worker/channel.hpp"
#include "host/worker/worker_child.hpp"

namespace toolhost::worker {
namespace {

constexpr std::chrono::seconds kToClear{20};  // less than the host's timeout for a reaper

// What it prints reaches the host, which tells it to the caller, and clears up.
[[noreturn]] void give_up(const std::string& what) {
    const auto text = what + ": " + os::system_message(errno) + '\n';
    static_cast<void>(os::write_all(STDERR_FILENO, text));
    ::_exit(1);
}

// In a process namespace of its own nothing can hide from the end of its first process. Root may
// make one; others where the kernel lets them have a user namespace first.
bool enter_process_namespace() {
    return ::unshare(CLONE_NEWPID) == 0 || sandbox::enter_user_namespace(CLONE_NEWPID);
}

void record_end(const Channel& channel, int status, const rusage& usage) {
    auto& words = channel.words();
    words.end_status = status;
    words.end_rss_kb = static_cast<std::uint64_t>(usage.ru_maxrss);
    words.end_known = 1;
}

// The kernel tells of a parent's death only once it was asked to, so a reaper that died before is
// looked for by its descriptor: its number means nothing in another namespace.
void end_with(os::Descriptor reaper) {
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) ::_exit(1);
    pollfd end{reaper.get(), POLLIN, 0};
    if (::poll(&end, 1, 0) != 0) ::_exit(1);
}

[[noreturn]] void become_worker(Channel& channel, const WorkerPlace& place) {
    sigset_t none;
    ::sigemptyset(&none);
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::sigprocmask(SIG_SETMASK, &none, nullptr) != 0)
        ::_exit(1);
    serve_calls(channel, place);
}

// The first process of the namespace: takes in orphans, and takes all with it when the worker ends.
[[noreturn]] void become_init(Channel& channel, const WorkerPlace& place) {
    const pid_t worker = ::fork();
    if (worker == 0) become_worker(channel, place);
    if (worker < 0) ::_exit(1);
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t ended = ::wait4(-1, &status, 0, &usage);
        if (ended < 0 && errno != EINTR) ::_exit(1);
        if (ended != worker) continue;
        record_end(channel, status, usage);
        ::_exit(0);
    }
}

}  // namespace

void reap_worker(pid_t host, const std::string& temp, const std::string& group) {
    sigset_t awaited;
    ::sigemptyset(&awaited);
    ::sigaddset(&awaited, SIGTERM);
    ::sigaddset(&awaited, SIGCHLD);
    // Asked before anything can go wrong: a host that is gone leaves nothing behind.
    if (::sigprocmask(SIG_BLOCK, &awaited, nullptr) != 0 ||
        ::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != host) {
        os::remove_temp_folder(temp, kToClear);
        ::_exit(1);
    }
    if (!group.empty() && !sandbox::join_group(group))
        give_up("joining the control group " + group);
    auto channel = Channel::attach(os::Descriptor(os::kPassedDescriptor));
    if (!channel) give_up("the channel cannot be mapped");
    channel->close_descriptor();
    // The plugin must not inherit what the host's libraries left open.
    if (::close_range(kAnswerBell + 1, ~0u, 0) != 0) give_up("close_range");
    // Nor what it starts.
    if (::fcntl(kAnswerBell, F_SETFD, FD_CLOEXEC) != 0) give_up("the answer bell");

    os::Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    if (!self) give_up("pidfd_open");
    const bool own_namespace = enter_process_namespace();
    const pid_t child = ::fork();
    if (child < 0) give_up("fork");
    if (child == 0) {
        // A signal to the plugin's own group must not reach the reaper.
        end_with(std::move(self));
        if (::setpgid(0, 0) != 0) ::_exit(1);
        if (own_namespace) become_init(*channel, {temp, true, kAnswerBell});
        become_worker(*channel, {temp, false, kAnswerBell});
    }
    if (!own_namespace) ::setpgid(child, child);  // parent or child, whichever runs first
    int status = 0;
    rusage usage{};
    while (::wait4(child, &status, WNOHANG, &usage) != child)
        if (::sigwaitinfo(&awaited, nullptr) == SIGTERM) ::kill(child, SIGKILL);
    if (!own_namespace) {
        ::kill(-child, SIGKILL);  // the sandbox keeps every process in the group
        record_end(*channel, status, usage);
    }
    // What it cannot do the host tries again.
    ::_exit(os::remove_temp_folder(temp, kToClear) ? 0 : 1);
}

}  // namespace toolhost::worker
