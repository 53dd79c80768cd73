#include "host/os/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "host/os/descriptor.hpp"
#include "host/os/instrumented.hpp"
#include "host/os/spawn.hpp"

namespace toolhost::os {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
    Descriptor read, write;

    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
        return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

// Reads what is there now. Keeps at most `limit`; true at the end of the stream.
bool drain(int fd, std::string& into, std::size_t limit, bool* cut) {
    char buffer[65536];
    for (;;) {
        ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        auto room = limit - std::min(limit, into.size());
        if (static_cast<std::size_t>(got) > room && cut) *cut = true;
        into.append(buffer, std::min(room, static_cast<std::size_t>(got)));
    }
}

int milliseconds_until(Clock::time_point end) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

// Follows the child until it ends or its time is up. True: it ended by itself.
bool follow(int pidfd, const ChildCommand& command, Pipe& result, Pipe& output, ChildEnd& end) {
    const auto until = Clock::now() + command.deadline;
    std::array<pollfd, 3> watched = {pollfd{pidfd, POLLIN, 0}, pollfd{result.read.get(), POLLIN, 0},
                                     pollfd{output.read.get(), POLLIN, 0}};
    for (;;) {
        int ready = ::poll(watched.data(), watched.size(), milliseconds_until(until));
        if (ready < 0 && errno == EINTR) continue;
        // A closed pipe stays readable: stop watching it, the end is the pid descriptor's to tell.
        if (watched[1].revents &&
            drain(result.read.get(), end.result, command.max_result, &end.result_cut))
            watched[1].fd = -1;
        if (watched[2].revents && drain(output.read.get(), end.output, command.max_output, nullptr))
            watched[2].fd = -1;
        if (ready > 0 && watched[0].revents) return true;
        if (ready < 0 || end.result_cut || Clock::now() >= until) return false;
    }
}

}  // namespace

ChildEnd run_child(const ChildCommand& command) {
    ChildEnd end;
    Pipe result, output;
    if (!result.open() || !output.open()) {
        end.value = errno;
        return end;
    }
    pid_t pid = -1;
    const SpawnCommand spawned{command.program,
                               command.arguments,
                               command.environment,
                               output.write.get(),
                               {result.write.get()}};
    if (int fault = spawn(spawned, pid); fault != 0) {
        end.value = fault;
        return end;
    }
    result.write.reset();
    output.write.reset();

    // The pid stays ours until waited for, so the descriptor cannot mean another process.
    Descriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    const int pidfd_fault = pidfd ? 0 : errno;
    bool ended = pidfd && follow(pidfd.get(), command, result, output, end);
    ::kill(-pid, SIGKILL);  // the whole group: also what the child started
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    drain(result.read.get(), end.result, command.max_result, &end.result_cut);
    drain(output.read.get(), end.output, command.max_output, nullptr);

    if (pidfd_fault) {
        end.value = pidfd_fault;
    } else if (!ended && !end.result_cut) {
        end.how = ChildEnd::How::timed_out;
    } else if (WIFSIGNALED(status) && ended) {
        end.how = ChildEnd::How::signalled;
        end.value = WTERMSIG(status);
    } else {
        end.how = ChildEnd::How::exited;
        end.value = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return end;
}

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::vector<std::string> minimal_environment() {
    static constexpr std::string_view kPassed[] = {
        "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TZDIR", "LD_LIBRARY_PATH",
        // Sanitizers and coverage speak through these; ordinary builds ignore them.
        "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "GCOV_PREFIX", "GCOV_PREFIX_STRIP"};
    std::vector<std::string> out;
    for (auto name : kPassed)
        if (const char* value = std::getenv(std::string(name).c_str()))
            out.push_back(std::string(name) + '=' + value);
    // The search for leaks at an exit() needs what a closed process may not do.
    if (kSanitized) {
        const char* options = std::getenv("ASAN_OPTIONS");
        out.push_back(std::string("ASAN_OPTIONS=detect_leaks=0:") + (options ? options : ""));
    }
    return out;
}

}  // namespace toolhost::os
