#include "host/cli/pager.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <string>

#include "host/base/environment.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::cli {
namespace {

constexpr const char* kUsual = "less -FRX";
constexpr int kNotFound = 127;  // exit code of a shell

std::string pager_command() {
    const auto given = environment("PAGER");
    return given.empty() ? kUsual : given;
}

// The pager handles its own keys: Ctrl-C, or quitting the pager early, must not end toolhost.
class SignalsIgnored {
public:
    SignalsIgnored() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGINT, &ignore, &interrupt_);
        ::sigaction(SIGPIPE, &ignore, &pipe_);
    }
    ~SignalsIgnored() {
        ::sigaction(SIGINT, &interrupt_, nullptr);
        ::sigaction(SIGPIPE, &pipe_, nullptr);
    }
    SignalsIgnored(const SignalsIgnored&) = delete;
    SignalsIgnored& operator=(const SignalsIgnored&) = delete;

private:
    struct sigaction interrupt_ {
    }, pipe_{};
};

// Returns 0 if it runs.
int start_pager(const std::string& command, int input, pid_t& pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (const int fault = ::posix_spawn_file_actions_init(&files)) return fault;
    if (const int fault = ::posix_spawnattr_init(&attributes)) {
        ::posix_spawn_file_actions_destroy(&files);
        return fault;
    }
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGPIPE);
    int fault = ::posix_spawnattr_setsigdefault(&attributes, &usual);
    if (!fault) fault = ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!fault) fault = ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    if (!fault)
        fault = ::posix_spawn_file_actions_adddup2(&files, result_descriptor(), STDOUT_FILENO);
    std::string shell = "sh", option = "-c", text = command;
    char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    if (!fault) fault = ::posix_spawn(&pid, "/bin/sh", &files, &attributes, arguments, environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    return fault;
}

// Returns false if the pager does not exist.
bool page(const std::string& text) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    os::Descriptor out(ends[0]), in(ends[1]);
    const SignalsIgnored ignored;
    pid_t pid = -1;
    if (start_pager(pager_command(), out.get(), pid) != 0) return false;
    out = {};
    (void)os::write_all(in.get(), text);  // the user may quit it before the end
    in = {};
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return true;
    return !(WIFEXITED(status) && WEXITSTATUS(status) == kNotFound);
}

}  // namespace

Paged::Paged(bool wanted) {
    if (!wanted || !results_on_terminal()) return;
    before_ = std::cout.rdbuf(&text_);
    results().rdbuf(&text_);
}

Paged::~Paged() {
    if (!before_) return;
    std::cout.rdbuf(before_);
    results().rdbuf(before_);
    const auto text = text_.str();
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines < height() || !page(text)) std::cout << text;
}

}  // namespace toolhost::cli
