// The processes of one run_programs(): starts them, kills them and waits for them.
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

// A descriptor that is closed by its destructor.
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
        if (number_ >= 0) ::close(number_);  // no file here reports write errors on close
    }

    explicit operator bool() const { return number_ >= 0; }
    [[nodiscard]] int get() const { return number_; }

private:
    int number_ = -1;
};

// Moves a file to a number that no redirect uses; on failure nothing, with errno set.
inline OwnedDescriptor above_targets(OwnedDescriptor file) {
    constexpr int kFirst = 10;
    if (!file || file.get() >= kFirst) return file;
    return OwnedDescriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, kFirst));
}

namespace detail {

struct Pipe {
    int target = -1;  // the programs' end
    OwnedDescriptor reader, writer;

    // Returns false, with errno set, if it cannot be created. Reading must not block here, but must
    // block in a program.
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
        OwnedDescriptor handle;  // readable when the process has ended
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
    // The first member's process id: it is not reused before reap().
    [[nodiscard]] pid_t number() const { return members_.empty() ? 0 : members_.front().process; }
    [[nodiscard]] bool all_ended() const {
        return std::all_of(members_.begin(), members_.end(), [](auto& one) { return one.ended; });
    }

    // Returns false, with errno set, if it cannot be watched.
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

    // Kills at once, without SIGTERM, which a process could ignore. The members are not reaped yet,
    // so their process ids are still valid.
    void kill() const {
        if (members_.empty()) return;
        if (whole_) ::kill(-number(), SIGKILL);
        for (const auto& member : members_) ::kill(member.process, SIGKILL);
    }

    // Waits until all have ended, including descendants of the members. Returns how the members
    // ended.
    std::vector<int> reap() {
        std::vector<int> codes;
        const pid_t group = number();
        for (const auto& member : members_) codes.push_back(wait_for(member.process));
        members_.clear();
        // Orphans are already killed, and their new parent reaps them soon. There is no event for
        // it, and an init that never reaps must not block this for ever.
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

    // Returns an empty string, or why it could not be started.
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
        const pid_t child = fork_without_signals(plan);
        if (child < 0) return because("cannot start a process");
        // Waited for before it is added: from then on it is in the group, or has reported why not.
        faults.writer = OwnedDescriptor();
        std::string problem = wait_for_exec(faults.reader.get(), file);
        if (!group.add(child) && problem.empty()) problem = because("cannot watch a process");
        input_ = std::move(next.reader);
        return problem;
    }

    // From now on only the programs hold the write ends.
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

    // A file in memory instead of a pipe, which needs no concurrent writer.
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

    // Signals are blocked, so that no handler of the caller runs in the child.
    static pid_t fork_without_signals(const ChildPlan& plan) {
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

    // Waits for the exec, which closes the child's end, or for the child's error.
    static std::string wait_for_exec(int faults, const std::string& program) {
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
