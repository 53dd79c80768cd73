#include "host/cli/result_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <streambuf>

#include "host/runtime/descriptor.hpp"

namespace toolhost::cli {
namespace {

// Out of the way of code that closes or reuses low descriptors.
constexpr int kLowest = 100;
int descriptor = STDOUT_FILENO;

class DescriptorBuffer : public std::streambuf {
public:
    DescriptorBuffer() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

protected:
    int sync() override {
        bool written =
            runtime::write_all(descriptor, {pbase(), static_cast<std::size_t>(pptr() - pbase())});
        setp(buffer_.data(), buffer_.data() + buffer_.size());
        return written ? 0 : -1;
    }
    int_type overflow(int_type c) override {
        if (sync() != 0) return traits_type::eof();
        if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
        return traits_type::not_eof(c);
    }

private:
    std::array<char, 65536> buffer_;
};

}  // namespace

int result_descriptor() {
    return descriptor;
}

void keep_stdout_for_results() {
    int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kLowest);
    if (kept < 0) return;  // stdout is closed: nothing to keep
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        ::close(kept);
        return;
    }
    descriptor = kept;
    // Never destroyed: std::cout is flushed once more after every static object is gone.
    static auto* const buffer = new DescriptorBuffer;
    std::cout.rdbuf(buffer);
}

}  // namespace toolhost::cli
