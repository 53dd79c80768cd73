#include "tests/integration/live_run.hpp"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "tests/integration/child.hpp"

namespace toolhost::test {

LiveRun::LiveRun(const Stage& stage, std::vector<std::string> args, const Options& options)
    : end_(std::chrono::steady_clock::now() + options.deadline) {
    const auto [command, settings] = stage.command(std::move(args), options);
    const auto argv = pointers(command);
    const auto envp = pointers(settings);
    winsize size{24, 80, 0, 0};
    child_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ < 0) throw std::runtime_error("forkpty");
    if (child_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::chdir(stage.root().c_str()) == 0) ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
}

LiveRun::~LiveRun() {
    if (child_ > 0) {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    ::close(terminal_);
}

bool LiveRun::read_some() {
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end_ - std::chrono::steady_clock::now());
        pollfd waiting{terminal_, POLLIN, 0};
        const int ready =
            ::poll(&waiting, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        char buffer[4096];
        const auto got = ::read(terminal_, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;  // EIO: the other side is closed
        shown_.append(buffer, static_cast<std::size_t>(got));
        return true;
    }
}

bool LiveRun::await(std::string_view text) {
    while (shown_.find(text) == std::string::npos)
        if (!read_some()) return false;
    return true;
}

void LiveRun::type(std::string_view text) const {
    while (!text.empty()) {
        const auto written = ::write(terminal_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw std::runtime_error("the terminal takes no input");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

int LiveRun::exit_code() {
    while (read_some()) {
    }
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0)
        if (errno != EINTR) throw std::runtime_error("waitpid");
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace toolhost::test
