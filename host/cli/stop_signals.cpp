#include "host/cli/stop_signals.hpp"

#include <pthread.h>
#include <unistd.h>
#include <csignal>

#include "host/base/error.hpp"

namespace toolhost::cli {
namespace {

// A private signal that ends the listener.
constexpr int kEnd = SIGUSR2;

sigset_t awaited() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, kEnd}) ::sigaddset(&set, signal);
    return set;
}

}  // namespace

StopSignals::StopSignals(std::function<void()> stop, std::function<void()> reload) {
    const auto set = awaited();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    listener_ = std::thread([set, stop = std::move(stop), reload = std::move(reload)] {
        bool stop_requested = false;
        for (int signal = 0; ::sigwait(&set, &signal) == 0 && signal != kEnd;) {
            if (signal == SIGHUP) {
                reload();
            } else if (stop_requested) {
                ::_exit(static_cast<int>(Exit::tool_error));
            } else {
                stop_requested = true;
                stop();
            }
        }
    });
}

StopSignals::~StopSignals() {
    ::pthread_kill(listener_.native_handle(), kEnd);
    listener_.join();
}

}  // namespace toolhost::cli
