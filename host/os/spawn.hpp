// Starts a program that inherits only what it is given.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace toolhost::os {

// Where the child finds the first of the descriptors that are passed to it; the others follow.
inline constexpr int kPassedDescriptor = 3;

struct SpawnCommand {
    std::string program;
    std::vector<std::string> arguments;    // without the program's own name
    std::vector<std::string> environment;  // "NAME=value"; nothing else is passed on
    int output = -1;                       // its stdout and stderr
    std::vector<int> passed;
};

// A process group of its own, an empty stdin, ordinary signals. 0, or errno. A large host costs
// nothing extra: no memory is copied.
[[nodiscard]] int spawn(const SpawnCommand& command, pid_t& pid);

// As execve takes them: the texts' own memory, and a null in the end.
[[nodiscard]] std::vector<char*> pointers(const std::vector<std::string>& texts);

}  // namespace toolhost::os
