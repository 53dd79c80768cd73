// A file descriptor that closes itself, and the few system calls every user of one needs.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace toolhost::os {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~Descriptor() { reset(); }

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
    void reset();

private:
    int fd_ = -1;
};

// Opens for reading without ever blocking on a FIFO or taking over a terminal.
[[nodiscard]] Descriptor open_for_reading(const std::string& path);

// The same, for regular files only: anything else is EINVAL. Judged on the open descriptor, so that
// nothing can take the file's place in between.
[[nodiscard]] Descriptor open_regular(const std::string& path);

// Opens a file for output that the user named, and makes it if it is missing. A tool may have put
// something else in its place: a link is ELOOP, and all but a regular file of this user or of root
// EPERM or ENXIO. Anything directly in /dev or /dev/fd is opened as it is.
enum class Output { append, replace };
[[nodiscard]] Descriptor open_output(const std::string& path, Output how, unsigned mode);

// Writes everything, through interruptions and short writes; false with errno on failure.
[[nodiscard]] bool write_all(int fd, std::string_view bytes);

// The whole file, or nothing with errno set; larger than `limit` is EFBIG.
[[nodiscard]] bool read_file(const std::string& path, std::size_t limit, std::string& out);

// The same for the host's own files (its cache, its quarantine): no link, a regular file of this
// user or of root, that others cannot write. Anything else is EPERM: another user put it
// there.
[[nodiscard]] bool read_own_file(const std::string& path, std::size_t limit, std::string& out);

// errno as text: "Permission denied".
[[nodiscard]] std::string system_message(int code);

}  // namespace toolhost::os
