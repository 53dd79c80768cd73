#include "host/cli/result_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <iostream>
#include <streambuf>

#include "host/base/json_text.hpp"
#include "host/base/visible_text.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::cli {
namespace {

// A high descriptor, because code may close or reuse low ones.
constexpr int kLowest = 100;
int descriptor = STDOUT_FILENO;

class DescriptorBuffer : public std::streambuf {
public:
    DescriptorBuffer() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

protected:
    int sync() override {
        bool written =
            os::write_all(descriptor, {pbase(), static_cast<std::size_t>(pptr() - pbase())});
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

// Never destroyed: streams are flushed again after all static objects were destroyed.
DescriptorBuffer& buffer() {
    static auto* const made = new DescriptorBuffer;
    return *made;
}

std::streambuf* usual_cout = nullptr;  // writes to descriptor 1

}  // namespace

int result_descriptor() {
    return descriptor;
}

std::ostream& results() {
    static auto* const made = new std::ostream(&buffer());
    return *made;
}

bool results_on_terminal() {
    static const bool is_terminal = ::isatty(descriptor) == 1;
    return is_terminal;
}

std::string result_text(std::string_view text) {
    return results_on_terminal() ? visible_text(text, true) : std::string(text);
}

void print_json(const Json& value, int indent) {
    results() << result_text(dump(value, indent)) << '\n' << std::flush;
}

void keep_stdout_for_results() {
    if (usual_cout) return;  // one command runs another
    int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kLowest);
    if (kept < 0) return;  // stdout is closed: nothing to keep
    // Without stderr, output of plugins is dropped.
    const os::Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0 &&
        (!nothing || ::dup2(nothing.get(), STDOUT_FILENO) < 0)) {
        ::close(kept);
        return;
    }
    descriptor = kept;
    usual_cout = std::cout.rdbuf(&buffer());
}

void redirect_cout_to_stderr() {
    if (!usual_cout) return;
    std::cout.flush();
    std::cout.rdbuf(usual_cout);
}

}  // namespace toolhost::cli
