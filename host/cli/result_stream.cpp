#include "host/cli/result_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <streambuf>

#include "host/registry/json_text.hpp"
#include "host/registry/visible_text.hpp"
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

bool results_on_terminal() {
    static const bool is_terminal = ::isatty(descriptor) == 1;
    return is_terminal;
}

std::string result_text(std::string_view text) {
    return results_on_terminal() ? visible_text(text, true) : std::string(text);
}

void print_json(const Json& value, int indent) {
    std::cout << result_text(dump(value, indent)) << '\n';
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
