// Runs programs from a tool: run_programs() starts one program, or several joined by pipes, passes
// on their output as it arrives, and kills all processes that they leave behind.
//
//     toolhost::Programs start;
//     start.programs = {{{"/usr/bin/sort", "-n"}}};
//     start.folder = context.workspace();
//     start.input = "3\n1\n2\n";
//     start.timeout = std::chrono::seconds(10);
//     start.cancelled = [&] { return context.cancelled(); };
//     start.output = [&](int, std::string_view bytes) { context.text(bytes); };
//     const toolhost::ProgramsEnd end = toolhost::run_programs(start);
//
// The programs get a process group of their own, which they cannot leave: a system call filter
// refuses setpgid and setsid to them and to all their descendants. When the last program has ended,
// the time is over, or the call is cancelled, the whole group is killed, including daemons and
// double forks, and run_programs() returns when all have ended. They can signal each other, but not
// the calling process. They gain no privileges: no_new_privs is set, and the caller's sandbox
// applies.
//
// Not part of plugin.hpp. Linux 5.11 and later. [any-thread]
#ifndef TOOLHOST_PROCESS_HPP
#define TOOLHOST_PROCESS_HPP

#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolhost/process_group.hpp"

namespace toolhost {

struct Program {
    std::vector<std::string> arguments;  // the first is the program's name
    std::vector<Redirect> redirects{};   // in this order, after the pipes are in place
    std::string file{};                  // see find_program(); empty: the first argument
};

struct Programs {
    std::vector<Program> programs;           // the stdout of each is the stdin of the next
    std::string folder{};                    // empty: the caller's
    std::vector<std::string> environment{};  // NAME=VALUE; nothing else is inherited
    std::string input{};                     // the stdin of the first
    // Descriptors of the programs that are read, from 1 to 9. Descriptor 1 is that of the last
    // program, all others are shared by all programs.
    std::vector<int> outputs{1, 2};
    std::optional<std::chrono::milliseconds> timeout{};
    std::function<bool()> cancelled{};                    // polled every 20 ms
    std::function<void(int, std::string_view)> output{};  // descriptor, bytes
};

enum class Ending { finished, timed_out, cancelled, not_started };

struct ProgramsEnd {
    Ending ending = Ending::not_started;
    // The exit code of each program as in shells: its exit code, or 128 plus the signal that killed
    // it.
    std::vector<int> codes{};
    std::string problem{};   // why nothing was started, or empty
    bool whole_tree = true;  // false: no group could be created, so descendants may be left
    [[nodiscard]] int code() const { return codes.empty() ? -1 : codes.back(); }
};

namespace detail {

// Reads available output; returns false at its end.
inline bool read_output(const Pipe& pipe, const Programs& start) {
    char buffer[65536];
    const ssize_t got = ::read(pipe.reader.get(), buffer, sizeof buffer);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got > 0 && start.output)
        start.output(pipe.target, std::string_view(buffer, static_cast<std::size_t>(got)));
    return got > 0;
}

// Waits for output, for the end of a process, or for the timeout.
inline void wait_for_event(ProcessGroup& group, std::vector<Pipe>& pipes, const Programs& start,
                           int timeout_ms) {
    std::vector<pollfd> waits;
    for (const auto& pipe : pipes) waits.push_back({pipe.reader.get(), POLLIN, 0});
    for (const auto& member : group.members())
        if (!member.ended) waits.push_back({member.handle.get(), POLLIN, 0});
    if (::poll(waits.data(), waits.size(), timeout_ms) <= 0) return;
    for (std::size_t i = pipes.size(); i-- > 0;)
        if (waits[i].revents != 0 && !read_output(pipes[i], start))
            pipes.erase(pipes.begin() + static_cast<std::ptrdiff_t>(i));
    group.note_ended();
}

// Reads what is left in the pipes after the end. Limited, because a process that could not be
// killed may still write.
inline void drain(std::vector<Pipe>& pipes, const Programs& start) {
    constexpr int kMaxReads = 32;
    for (auto& pipe : pipes) {
        pollfd ready{pipe.reader.get(), POLLIN, 0};
        for (int i = 0; i<kMaxReads&& ::poll(&ready, 1, 0)> 0; ++i)
            if (!read_output(pipe, start)) break;
    }
}

inline Ending watch(ProcessGroup& group, std::vector<Pipe>& pipes, const Programs& start) {
    using Clock = std::chrono::steady_clock;
    constexpr int kPollInterval = 20;  // ms
    const auto begin = Clock::now();
    while (!group.all_ended()) {
        if (start.cancelled && start.cancelled()) return Ending::cancelled;
        int timeout = start.cancelled ? kPollInterval : -1;
        if (start.timeout) {
            const auto spent =
                std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
            const auto left = (*start.timeout - spent).count();
            if (left <= 0) return Ending::timed_out;
            const int until = static_cast<int>(std::min<long long>(left, 60'000));
            timeout = timeout < 0 ? until : std::min(timeout, until);
        }
        wait_for_event(group, pipes, start, timeout);
    }
    return Ending::finished;
}

}  // namespace detail

// Never throws because of a program. If `cancelled` or `output` throws, the programs are killed
// first.
inline ProgramsEnd run_programs(const Programs& start) {
    ProgramsEnd end;
    detail::ProcessGroup group;  // its destructor kills the programs, also after an exception
    detail::Launch launch(start.folder, start.environment, start.input, start.outputs);
    for (std::size_t i = 0; i < start.programs.size(); ++i) {
        const bool last = i + 1 == start.programs.size();
        const auto& program = start.programs[i];
        const auto& file = program.file.empty() && !program.arguments.empty() ? program.arguments[0]
                                                                              : program.file;
        end.problem = launch.start(group, file, program.arguments, program.redirects, last);
        if (!end.problem.empty()) break;
    }
    auto pipes = launch.take_pipes();
    end.whole_tree = group.is_whole();
    if (start.programs.empty()) end.problem = "no program to start";
    if (!end.problem.empty()) return end;

    end.ending = detail::watch(group, pipes, start);
    group.kill();
    detail::drain(pipes, start);
    end.codes = group.reap();
    return end;
}

// The time for programs: the requested time, but at most the call's remaining time
// (context.remaining()) minus a reserve, so that the tool can report the timeout.
inline std::chrono::milliseconds time_for_programs(
    std::chrono::milliseconds asked, std::optional<std::chrono::milliseconds> remaining) {
    constexpr std::chrono::milliseconds kKept{250};
    return remaining ? std::min(asked, *remaining - kKept) : asked;
}

// Finds a program by name in a list such as PATH. Only absolute folders are searched: the meaning
// of a name must not depend on the working folder.
inline std::optional<std::string> find_program(std::string_view name, std::string_view path) {
    if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
    while (!path.empty()) {
        const auto end = std::min(path.find(':'), path.size());
        const auto folder = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (folder.empty() || folder[0] != '/') continue;
        std::string file = std::string(folder) + '/' + std::string(name);
        struct stat info {};
        if (::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
            ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return std::nullopt;
}

// The caller's environment variables whose names match a glob, as NAME=VALUE. The others may be
// secrets that programs must not get.
inline std::vector<std::string> chosen_environment(const std::vector<std::string>& patterns) {
    std::vector<std::string> out;
    for (char** variable = ::environ; variable && *variable; ++variable) {
        const std::string text = *variable;
        const auto name = text.substr(0, text.find('='));
        if (std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
                return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
            }))
            out.push_back(text);
    }
    return out;
}

}  // namespace toolhost

#endif  // TOOLHOST_PROCESS_HPP
