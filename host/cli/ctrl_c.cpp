#include "host/cli/ctrl_c.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <iostream>
#include <stdexcept>

namespace toolhost::cli {
namespace {

// The signal handler writes to it; -1 without a listener.
std::atomic<int> pipe_end{-1};

constexpr char kPressed = 'c', kEnd = 'e';

void on_signal(int) {
    const int saved = errno;
    [[maybe_unused]] auto written = ::write(pipe_end, &kPressed, 1);
    errno = saved;
}

int pipe_read_end = -1;

}  // namespace

CtrlC::CtrlC() : pressed_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    int ends[2];
    if (!pressed_ || ::pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error("cannot create a pipe for signals: " + os::system_message(errno));
    pipe_read_end = ends[0];
    pipe_end = ends[1];
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    struct sigaction inherited {};
    // A shell that starts this in the background makes it ignore SIGINT; leave it ignored.
    if (::sigaction(SIGINT, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
        ::sigaction(SIGINT, &action, nullptr);
    listener_ = std::thread([this] { listen(); });
}

CtrlC::~CtrlC() {
    struct sigaction current {};
    if (::sigaction(SIGINT, nullptr, &current) == 0 && current.sa_handler == on_signal)
        ::signal(SIGINT, SIG_DFL);
    const int end = pipe_end.exchange(-1);
    [[maybe_unused]] auto written = ::write(end, &kEnd, 1);
    listener_.join();
    ::close(end);
    ::close(pipe_read_end);
}

void CtrlC::listen() {
    for (char what = 0;;) {
        const auto got = ::read(pipe_read_end, &what, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got != 1 || what == kEnd) return;
        if (!cancel_.stop_requested()) {
            const std::uint64_t one = 1;
            if (::isatty(STDERR_FILENO) == 1)
                std::cerr << "\nAsked the tool to stop. Press Ctrl-C again to quit now.\n";
            cancel_.request_stop();  // first, so that waiting questions see the cancellation
            [[maybe_unused]] auto written = ::write(pressed_.get(), &one, sizeof one);
        } else {
            ::signal(SIGINT, SIG_DFL);
            abandon_.request_stop();
        }
    }
}

}  // namespace toolhost::cli
