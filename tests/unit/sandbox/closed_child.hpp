// Runs one action in a child process that has entered a sandbox.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>

#include "host/sandbox/sandbox.hpp"

namespace toolhost::test {

// The child's result: 0 for success, an errno, or 1000 + the signal that killed it.
constexpr int kNotEntered = 250;
constexpr int kDied = 1000;

inline int end_of(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFSIGNALED(status) ? kDied + WTERMSIG(status) : WEXITSTATUS(status);
}

// `before` runs in the child before it enters the sandbox.
inline int try_closed(const sandbox::Confinement& confinement, const sandbox::SandboxNeeds& needs,
                      const std::function<int()>& attempt,
                      const std::function<void()>& before = nullptr) {
    const pid_t child = ::fork();
    if (child < 0) return -1;
    if (child > 0) return end_of(child);
    if (before) before();
    if (auto entered = sandbox::enter_sandbox(confinement, needs); !entered) {
        std::fprintf(stderr, "%s\n", entered.error().message.c_str());
        ::_exit(kNotEntered);
    }
    ::_exit(attempt());
}

// For system calls: 0, or the errno.
inline int outcome(long answer) {
    return answer < 0 ? errno : 0;
}

inline bool whole_sandbox() {
    if (sandbox::missing_sandbox_parts().empty()) return true;
    std::printf("SKIP: this kernel has no whole sandbox, only a %s\n",
                sandbox::sandbox_in_force(sandbox::Enforcement::best_effort).c_str());
    return false;
}

}  // namespace toolhost::test
