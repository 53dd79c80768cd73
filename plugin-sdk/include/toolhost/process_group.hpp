// The processes of one run_programs(): how they are started, ended and waited for.
#ifndef TOOLHOST_PROCESS_GROUP_HPP
#define TOOLHOST_PROCESS_GROUP_HPP

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolhost/process_child.hpp"

namespace toolhost {

// A descriptor that is closed with its holder.
class OwnedDescriptor {
public:
    OwnedDescriptor() = default;
    explicit OwnedDescriptor(int number) : number_(number) {}
    OwnedDescriptor(OwnedDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~OwnedDescriptor() {
        if (number_ >= 0) ::close(number_);  // of no file whose last write could fail here
    }

    explicit operator bool() const { return number_ >= 0; }
    [[nodiscard]] int get() const { return number_; }

private:
    int number_ = -1;
};

// The same file at a number that no target of a redirect has; none, and errno, if that fails.
inline OwnedDescriptor above_targets(OwnedDescriptor file) {
    constexpr int kFirst = 10;
    if (!file || file.get() >= kFirst) return file;
    return OwnedDescriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, kFirst));
}

namespace detail {

struct Pipe {
    int target = -1;  // the descriptor that the programs write to
    OwnedDescriptor reader, writer;

    // False, and errno, if it cannot be created. What is read here must not block; what a
    // program reads must.
    bool open(int reader_flags) {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        reader = above_targets(OwnedDescriptor(ends[0]));
        writer = above_targets(OwnedDescriptor(ends[1]));
        return reader && writer && ::fcntl(reader.get(), F_SETFL, reader_flags) == 0;
    }
};

class ProcessGroup {
public:
    struct Member {
        pid_t process;
        OwnedDescriptor handle;  // readable when it has ended
        bool ended = false;
    };

    ProcessGroup() = default;
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;
    ~ProcessGroup() {
        kill();
        static_cast<void>(reap());
    }

    [[nodiscard]] const std::vector<Member>& members() const { return members_; }
    [[nodiscard]] bool is_whole() const { return whole_; }
    // The first member's number: it stays taken until reap().
    [[nodiscard]] pid_t number() const { return members_.empty() ? 0 : members_.front().process; }
    [[nodiscard]] bool all_ended() const {
        return std::all_of(members_.begin(), members_.end(), [](auto& one) { return one.ended; });
    }

    // False, and errno, if it cannot be watched.
    bool add(pid_t process) {
        const pid_t group = members_.empty() ? process : number();
        members_.push_back(
            {process, OwnedDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)))});
        const int error = errno;
        whole_ = whole_ && ::getpgid(process) == group;
        errno = error;
        return static_cast<bool>(members_.back().handle);
    }

    void note_ended() {
        for (auto& member : members_) {
            siginfo_t info{};
            if (!member.ended && ::waitid(P_PID, static_cast<id_t>(member.process), &info,
                                          WEXITED | WNOHANG | WNOWAIT) == 0)
                member.ended = info.si_pid != 0;
        }
    }

    // At once and without a word before: what may not go on must not be able to put it off. The
    // members are not reaped yet, so the numbers are still theirs.
    void kill() const {
        if (members_.empty()) return;
        if (whole_) ::kill(-number(), SIGKILL);
        for (const auto& member : members_) ::kill(member.process, SIGKILL);
    }

    // Waits until all are gone, those included whom the members started. How the members ended.
    std::vector<int> reap() {
        std::vector<int> codes;
        const pid_t group = number();
        for (const auto& member : members_) codes.push_back(wait_for(member.process));
        members_.clear();
        // Orphans are already killed; their new parent needs a moment to reap them. There is no
        // event for that, and an init that never reaps must not block this for ever.
        if (group > 0 && whole_)
            for (long pause = 1; pause <= 32 && ::kill(-group, 0) == 0; pause *= 2) {
                const timespec time{0, pause * 1'000'000};
                ::nanosleep(&time, nullptr);
            }
        return codes;
    }

private:
    static int wait_for(pid_t process) {
        int status = 0;
        while (::waitpid(process, &status, 0) < 0)
            if (errno != EINTR) return -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    std::vector<Member> members_;
    bool whole_ = true;
};

// Starts the programs of one run, one after the other.
class Launch {
public:
    Launch(const std::string& folder, const std::vector<std::string>& environment,
           std::string_view input, const std::vector<int>& outputs)
        : folder_(folder), environment_(pointers(environment)) {
        bool ready = set_input(input);
        for (int target : outputs) {
            pipes_.emplace_back().target = target;
            last_target_ = std::max(last_target_, target);
            ready = ready && pipes_.back().open(O_NONBLOCK);
        }
        if (!ready) problem_ = because("cannot prepare its input and output");
    }

    // Empty, or why it could not be started.
    std::string start(ProcessGroup& group, const std::string& file,
                      const std::vector<std::string>& arguments,
                      const std::vector<Redirect>& redirects, bool last) {
        if (!problem_.empty()) return problem_;
        if (arguments.empty()) return "a program without a name";
        Pipe next, faults;
        if ((!last && !next.open(0)) || !faults.open(O_NONBLOCK))
            return because("cannot create a pipe");
        const auto words = pointers(arguments);
        auto places = standard_places(last ? -1 : next.writer.get());
        places.insert(places.end(), redirects.begin(), redirects.end());
        int highest = last_target_;
        for (const auto& place : places) highest = std::max(highest, place.fd);
        const ChildPlan plan{
            .file = file.c_str(),
            .arguments = words.data(),
            .environment = environment_.data(),
            .folder = folder_.empty() ? nullptr : folder_.c_str(),
            .redirects = places.data(),
            .redirect_count = places.size(),
            .last_target = highest,
            .faults = faults.writer.get(),
            .group = group.number(),
            .parent = ::getpid(),
            .parent_group = ::getpgrp(),
        };
        const pid_t child = fork_quietly(plan);
        if (child < 0) return because("cannot start a process");
        // Heard before it is added: from then on it is in the group, or has said why not.
        faults.writer = OwnedDescriptor();
        std::string problem = hear(faults.reader.get(), file);
        if (!group.add(child) && problem.empty()) problem = because("cannot watch a process");
        input_ = std::move(next.reader);
        return problem;
    }

    // From here on the programs alone hold the ends that are written to.
    std::vector<Pipe> take_pipes() {
        for (auto& pipe : pipes_) pipe.writer = OwnedDescriptor();
        std::erase_if(pipes_, [](const Pipe& pipe) { return !pipe.reader; });
        return std::move(pipes_);
    }

private:
    static std::vector<char*> pointers(const std::vector<std::string>& texts) {
        std::vector<char*> out;
        for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
        out.push_back(nullptr);
        return out;
    }

    static std::string because(const std::string& what) {
        return what + ": " + std::strerror(errno);
    }

    // A file in memory instead of a pipe: no concurrent writer is needed.
    bool set_input(std::string_view input) {
        if (input.empty()) {
            input_ = above_targets(OwnedDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
            return static_cast<bool>(input_);
        }
        input_ = above_targets(OwnedDescriptor(::memfd_create("stdin", MFD_CLOEXEC)));
        while (input_ && !input.empty()) {
            const ssize_t wrote = ::write(input_.get(), input.data(), input.size());
            if (wrote < 0 && errno != EINTR) return false;
            if (wrote > 0) input.remove_prefix(static_cast<std::size_t>(wrote));
        }
        return input_ && ::lseek(input_.get(), 0, SEEK_SET) == 0;
    }

    [[nodiscard]] std::vector<Redirect> standard_places(int next) const {
        std::vector<Redirect> places{{0, input_.get()}};
        for (const auto& pipe : pipes_)
            places.push_back(
                {pipe.target, pipe.target == 1 && next >= 0 ? next : pipe.writer.get()});
        return places;
    }

    // No handler of the caller's may run in the child.
    static pid_t fork_quietly(const ChildPlan& plan) {
        sigset_t all, before;
        ::sigfillset(&all);
        if (::pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return -1;
        const pid_t child = ::fork();
        if (child == 0) become_program(plan);
        const int error = errno;
        static_cast<void>(::pthread_sigmask(SIG_SETMASK, &before, nullptr));
        errno = error;
        return child;
    }

    // Waits for the exec, which closes the child's end, or for its complaint.
    static std::string hear(int faults, const std::string& program) {
        static constexpr const char* kSteps[] = {
            "cannot enter the folder",  "cannot place its descriptors",   "cannot drop privileges",
            "cannot scope its signals", "cannot filter its system calls", nullptr};
        pollfd wait{faults, POLLIN, 0};
        while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
        }
        StartFault fault{};
        if (::read(faults, &fault, sizeof fault) != sizeof fault) return {};
        errno = fault.error;
        const char* step = kSteps[static_cast<int>(fault.step)];
        return because(step ? step : "cannot run " + program);
    }

    const std::string& folder_;
    std::vector<char*> environment_;
    OwnedDescriptor input_;
    std::vector<Pipe> pipes_;
    int last_target_ = 2;
    std::string problem_;
};

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_PROCESS_GROUP_HPP
