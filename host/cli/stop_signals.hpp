// SIGTERM and Ctrl-C shut the server down; SIGHUP reloads its files.
#pragma once

#include <functional>
#include <thread>

namespace toolhost::cli {

class StopSignals {
public:
    // Must be created before other threads, so that they do not get the signals. Calls `stop` for
    // the first SIGTERM or SIGINT; a second one ends the process at once.
    StopSignals(std::function<void()> stop, std::function<void()> reload);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    std::thread listener_;
};

}  // namespace toolhost::cli
