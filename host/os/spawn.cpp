#include "host/os/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#include <cerrno>

#include "host/os/descriptor.hpp"

namespace toolhost::os {
namespace {

// posix_spawn shares the parent's memory until exec.
class Spawn {
public:
    Spawn() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    ~Spawn() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Spawn(const Spawn&) = delete;
    Spawn& operator=(const Spawn&) = delete;

    int start(const SpawnCommand& command, pid_t& pid) {
        sigset_t none, standard;
        sigemptyset(&none);
        sigemptyset(&standard);
        for (int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD})
            sigaddset(&standard, signal);
        int fault = posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (!fault) fault = posix_spawnattr_setpgroup(&attributes_, 0);
        if (!fault) fault = posix_spawnattr_setsigmask(&attributes_, &none);
        if (!fault) fault = posix_spawnattr_setsigdefault(&attributes_, &standard);
        if (!fault)
            fault = posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
        for (int target : {1, 2})
            if (!fault) fault = posix_spawn_file_actions_adddup2(&actions_, command.output, target);
        int target = kPassedDescriptor;
        for (int passed : command.passed)
            if (!fault) fault = posix_spawn_file_actions_adddup2(&actions_, passed, target++);
        if (fault) return fault;
        std::vector<std::string> words = {command.program};
        words.insert(words.end(), command.arguments.begin(), command.arguments.end());
        return posix_spawn(&pid, command.program.c_str(), &actions_, &attributes_,
                           pointers(words).data(), pointers(command.environment).data());
    }

private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

}  // namespace

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
}

int spawn(const SpawnCommand& command, pid_t& pid) {
    const int end = kPassedDescriptor + static_cast<int>(command.passed.size());
    // dup2 onto itself would leave the descriptor closed at exec, and onto another one of them
    // would replace it.
    SpawnCommand moved = command;
    std::vector<Descriptor> copies;
    for (int& passed : moved.passed) {
        if (passed >= end) continue;
        copies.emplace_back(::fcntl(passed, F_DUPFD_CLOEXEC, end));
        if (!copies.back()) return errno;
        passed = copies.back().get();
    }
    return Spawn().start(moved, pid);
}

}  // namespace toolhost::os
