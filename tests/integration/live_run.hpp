// The program on a pseudo terminal, as a user sees it: tests wait for its output and type input.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/integration/harness.hpp"

namespace toolhost::test {

class LiveRun {
public:
    LiveRun(const Stage& stage, std::vector<std::string> args, const Options& options = {});
    ~LiveRun();  // ends it if it is still running
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    // Reads until the text has appeared; false at the end of the output or after the timeout.
    [[nodiscard]] bool await(std::string_view text);
    void type(std::string_view text) const;
    // Waits for the end. Returns 128 + signal if it was killed.
    [[nodiscard]] int exit_code();
    [[nodiscard]] const std::string& shown() const { return shown_; }

private:
    bool read_some();

    int terminal_ = -1;
    pid_t child_ = -1;
    std::string shown_;
    std::chrono::steady_clock::time_point end_;
};

}  // namespace toolhost::test
