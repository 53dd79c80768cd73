// Test material for sandboxed processes: actions, a listener, a workspace and a secret beside it.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>

#include <thread>

#include "tests/unit/doctest.hpp"
#include "tests/unit/sandbox/closed_child.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::test {

inline int read_it(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte;
    return fd < 0 ? errno : outcome(::read(fd, &byte, 1));
}

inline int write_it(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return fd < 0 ? errno : outcome(::write(fd, "x", 1));
}

inline int start_and_wait() {
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) ::_exit(0);
    return end_of(child);
}

inline int run(const char* program) {
    pid_t child = -1;
    char* arguments[] = {const_cast<char*>(program), nullptr};
    char* environment[] = {nullptr};
    const int fault = ::posix_spawn(&child, program, nullptr, nullptr, arguments, environment);
    return fault != 0 ? fault : end_of(child);
}

inline int run_threads(int count) {
    try {
        std::vector<std::thread> threads;
        for (int i = 0; i < count; ++i) threads.emplace_back([] { ::usleep(100'000); });
        for (auto& thread : threads) thread.join();
        return 0;
    } catch (const std::system_error& e) {
        return e.code().value();  // ends by _exit: other threads need not be joined
    }
}

// A listening port on loopback.
struct Listener {
    Listener() : fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(fd, 4) == 0);
        REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    }
    ~Listener() { ::close(fd); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    int connect() const {
        const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (client < 0) return errno;
        return outcome(
            ::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address));
    }
    int fd;
    sockaddr_in address{};
};

// A workspace with a file and a link out of it, and a secret beside it.
struct Scene {
    Scene() {
        outside.write("secret", "secret");
        workspace.write("file", "text");
        REQUIRE(::symlink((outside / "secret").c_str(), (workspace / "link").c_str()) == 0);
        needs.temp = temp.path();
        strict.sandbox = sandbox::Enforcement::required;
        strict.read = {workspace.path()};
    }
    [[nodiscard]] sandbox::Confinement with(bool network, bool exec, bool write = false) const {
        auto out = strict;
        out.network = network;
        out.exec = exec;
        if (write) out.write = {workspace.path()};
        return out;
    }
    TempFolder workspace, outside, temp;
    Listener listener;
    sandbox::SandboxNeeds needs;
    sandbox::Confinement strict;
};

}  // namespace toolhost::test
