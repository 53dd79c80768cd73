// Runs a program under a deadline and brings back what it wrote and how it ended.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "host/os/spawn.hpp"

namespace toolhost::os {

struct ChildCommand {
    std::string program;
    std::vector<std::string> arguments;    // without the program's own name
    std::vector<std::string> environment;  // "NAME=value"; nothing else is passed on
    std::chrono::milliseconds deadline{5000};
    std::size_t max_result = 16u << 20;  // what may be written to descriptor 3
    std::size_t max_output = 4096;       // what is kept of stdout and stderr; the rest is dropped
};

struct ChildEnd {
    enum class How { exited, signalled, timed_out, not_started };
    How how = How::not_started;
    int value = 0;       // exit code, signal number, or errno where it did not start
    std::string result;  // descriptor 3
    std::string output;  // stdout and stderr together
    bool result_cut = false;
};

// The child is a process group of its own, with an empty stdin. When this returns, the group is
// dead: also what the child left running.
[[nodiscard]] ChildEnd run_child(const ChildCommand& command);

// "SIGSEGV".
[[nodiscard]] std::string signal_name(int signal);

// The descriptor on which a child gives its result.
inline constexpr int kResultDescriptor = kPassedDescriptor;

// The variables a child that runs foreign code may see: what the loader and the libc need, no more.
[[nodiscard]] std::vector<std::string> minimal_environment();

}  // namespace toolhost::os
