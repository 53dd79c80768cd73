// SIGTERM and Ctrl-C shut the server down; SIGHUP reloads its files.
#pragma once

#include <functional>
#include <thread>

namespace toolhost::cli {

class StopSignals {
public:
    // Before any other thread is there: they must not get the signals instead. `stop` is called for
    // the first SIGTERM or SIGINT, and a second one ends the process at once.
    StopSignals(std::function<void()> stop, std::function<void()> look_again);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    std::thread listener_;
};

}  // namespace toolhost::cli
