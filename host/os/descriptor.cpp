#include "host/os/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace toolhost::os {
namespace {

Descriptor open_with(const std::string& path, int more) {
    int fd;
    do {
        fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | more);
    } while (fd < 0 && errno == EINTR);
    return Descriptor(fd);
}

bool read_all(int fd, std::size_t limit, std::string& out) {
    out.clear();
    char buffer[65536];
    for (;;) {
        ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) return true;
        out.append(buffer, static_cast<std::size_t>(got));
        if (out.size() > limit) {
            errno = EFBIG;
            return false;
        }
    }
}

}  // namespace

void Descriptor::reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Descriptor open_for_reading(const std::string& path) {
    return open_with(path, 0);
}

Descriptor open_regular(const std::string& path) {
    Descriptor file = open_with(path, 0);
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) return {};
    if (S_ISREG(info.st_mode)) return file;
    file.reset();
    errno = EINVAL;
    return {};
}

Descriptor open_output(const std::string& path, Output how, unsigned mode) {
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (how == Output::append ? O_APPEND : 0);
    // Tools cannot write there, and /dev/stdout is a link to what the user's shell opened.
    if (const auto folder = path.substr(0, path.rfind('/'));
        folder == "/dev" || folder == "/dev/fd")
        return Descriptor(::open(path.c_str(), flags & ~O_CREAT));
    // Not waiting for the reader of a FIFO; on a regular file the flag has no effect.
    flags |= O_NOFOLLOW | O_NONBLOCK;
    Descriptor file(::open(path.c_str(), flags, mode));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) return {};
    if (!S_ISREG(info.st_mode) || (info.st_uid != 0 && info.st_uid != ::geteuid())) {
        file.reset();
        errno = EPERM;
        return file;
    }
    // Only now: O_TRUNC would empty what is not to be written.
    if (how == Output::replace && ::ftruncate(file.get(), 0) != 0) return {};
    return file;
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool read_file(const std::string& path, std::size_t limit, std::string& out) {
    Descriptor file = open_for_reading(path);
    return file && read_all(file.get(), limit, out);
}

bool read_own_file(const std::string& path, std::size_t limit, std::string& out) {
    Descriptor file = open_with(path, O_NOFOLLOW);
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) return false;
    if (!S_ISREG(info.st_mode) || (info.st_uid != 0 && info.st_uid != ::geteuid()) ||
        (info.st_mode & S_IWOTH) != 0) {
        errno = EPERM;
        return false;
    }
    out.reserve(std::min(static_cast<std::size_t>(info.st_size), limit));
    return read_all(file.get(), limit, out);
}

std::string system_message(int code) {
    return std::system_category().message(code);
}

}  // namespace toolhost::os
