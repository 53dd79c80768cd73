#include "host/runtime/refused_attempts.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>

#include "host/runtime/sandbox.hpp"

namespace toolhost::runtime {
namespace {

constexpr unsigned kNetworkBit = 1, kExecBit = 2;
std::atomic<unsigned> attempts{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);  // a signal handler writes it

#if defined(__x86_64__)
constexpr bool kCanAnswer = true;
void answer(ucontext_t& context, int code) {
    context.uc_mcontext.gregs[REG_RAX] = code;
}
int first_argument(const ucontext_t& context) {
    return static_cast<int>(context.uc_mcontext.gregs[REG_RDI]);
}
#elif defined(__aarch64__)
constexpr bool kCanAnswer = true;
void answer(ucontext_t& context, int code) {
    context.uc_mcontext.regs[0] = static_cast<unsigned long long>(static_cast<long long>(code));
}
int first_argument(const ucontext_t& context) {
    return static_cast<int>(context.uc_mcontext.regs[0]);
}
#else
constexpr bool kCanAnswer = false;
void answer(ucontext_t&, int) {}
int first_argument(const ucontext_t&) {
    return AF_INET;
}
#endif

// Libraries ask local daemons (for a user's name, say) and go on without: no grant is missing
// there.
bool is_network(const ucontext_t& context) {
    const auto family = first_argument(context);
    return family == AF_INET || family == AF_INET6;
}

// A system call of the thread that runs this: it happens in the middle of the plugin's code.
void on_refused(int, siginfo_t* info, void* context) {
    constexpr int kBySeccomp = 1;  // SYS_SECCOMP, which not every libc names
    if (info->si_code != kBySeccomp) return;
    auto& stopped = *static_cast<ucontext_t*>(context);
    const auto seen = info->si_syscall != SYS_socket ? kExecBit
                      : is_network(stopped)          ? kNetworkBit
                                                     : 0;
    attempts.fetch_or(seen, std::memory_order_relaxed);
    answer(stopped, -EACCES);
}

}  // namespace

bool record_refused_attempts() {
    if (!kCanAnswer) return false;
    struct sigaction action {};
    action.sa_sigaction = on_refused;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    sigset_t it;
    ::sigemptyset(&it);
    ::sigaddset(&it, SIGSYS);
    // A trap that is blocked kills.
    return ::sigaction(SIGSYS, &action, nullptr) == 0 &&
           ::sigprocmask(SIG_UNBLOCK, &it, nullptr) == 0;
}

std::vector<std::string> refused_attempts() {
    const unsigned seen = attempts.load(std::memory_order_relaxed);
    std::vector<std::string> words;
    if (seen & kNetworkBit) words.emplace_back("network");
    if (seen & kExecBit) words.emplace_back("exec");
    return words;
}

void forget_refused_attempts() {
    attempts.store(0, std::memory_order_relaxed);
}

}  // namespace toolhost::runtime
