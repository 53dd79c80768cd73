// One child process, from start to end, within a deadline.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace toolhost::test {

struct ChildStart {
    std::vector<std::string> args;  // args[0] is the program
    std::vector<std::string> env;   // NAME=VALUE
    std::string input;
    std::filesystem::path folder;
    std::optional<uid_t> user;
    std::chrono::milliseconds deadline;
};

struct ChildEnd {
    int exit_code = -1;  // 128 + signal if it was killed
    bool timed_out = false;
    std::string out, err;
};

// For execve: pointers to the texts, terminated by a null.
[[nodiscard]] std::vector<char*> pointers(const std::vector<std::string>& texts);

// Whether a process has ended, or ends within the timeout.
[[nodiscard]] bool ends_within(pid_t process, std::chrono::milliseconds time);

[[nodiscard]] ChildEnd run_child(const ChildStart& start);

}  // namespace toolhost::test
