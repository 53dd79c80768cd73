#include "tests/integration/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace toolhost::test {
namespace {

[[noreturn]] void raise_errno(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// The child's streams are memory files instead of pipes: no concurrent reader is needed, and a
// process that it leaves behind cannot delay the end of a stream.
class MemoryFile {
public:
    MemoryFile() : fd_(::memfd_create("toolhost-test", MFD_CLOEXEC)) {
        if (fd_ < 0) raise_errno("memfd_create");
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] int fd() const { return fd_; }

    void fill(const std::string& content) const {
        for (std::size_t done = 0; done < content.size();) {
            const auto n = ::write(fd_, content.data() + done, content.size() - done);
            if (n < 0) raise_errno("write");
            done += static_cast<std::size_t>(n);
        }
        ::lseek(fd_, 0, SEEK_SET);
    }

    [[nodiscard]] std::string content() const {
        std::string all;
        char buffer[65536];
        for (;;) {
            const auto n = ::pread(fd_, buffer, sizeof buffer, static_cast<off_t>(all.size()));
            if (n < 0) raise_errno("pread");
            if (n == 0) return all;
            all.append(buffer, static_cast<std::size_t>(n));
        }
    }

private:
    int fd_;
};

// Runs between fork and exec: only system calls are allowed.
[[noreturn]] void become(const ChildStart& start, char* const* argv, char* const* envp, int in,
                         int out, int err) {
    const bool ready = ::setpgid(0, 0) == 0 && ::dup2(in, 0) >= 0 && ::dup2(out, 1) >= 0 &&
                       ::dup2(err, 2) >= 0 && ::chdir(start.folder.c_str()) == 0;
    const bool demoted = !start.user || (::setgroups(0, nullptr) == 0 &&
                                         ::setgid(*start.user) == 0 && ::setuid(*start.user) == 0);
    // A test that is killed also kills the program. Changing the user would undo this.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (ready && demoted) ::execve(argv[0], argv, envp);
    ::_exit(127);
}

}  // namespace

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
}

bool ends_within(pid_t process, std::chrono::milliseconds time) {
    // glibc 2.36 declares pidfd_open() without extern "C".
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (fd < 0 && errno == ESRCH) return true;
    if (fd < 0) raise_errno("pidfd_open");
    const auto end = std::chrono::steady_clock::now() + time;
    int ready = 0;
    do {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        pollfd waiting{fd, POLLIN, 0};
        ready = ::poll(&waiting, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    } while (ready < 0 && errno == EINTR);
    ::close(fd);
    return ready > 0;
}

ChildEnd run_child(const ChildStart& start) {
    const MemoryFile in, out, err;
    in.fill(start.input);
    const auto argv = pointers(start.args);
    const auto envp = pointers(start.env);

    const pid_t child = ::fork();
    if (child < 0) raise_errno("fork");
    if (child == 0) become(start, argv.data(), envp.data(), in.fd(), out.fd(), err.fd());
    ::setpgid(child, child);  // in both processes, because their order is undefined

    ChildEnd end;
    end.timed_out = !ends_within(child, start.deadline);
    if (end.timed_out) ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) raise_errno("waitpid");
    end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.out = out.content();
    end.err = err.content();
    return end;
}

}  // namespace toolhost::test
