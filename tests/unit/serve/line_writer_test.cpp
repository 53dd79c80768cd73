// LineWriter: which lines are held, and what happens when the client does not read.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "host/os/descriptor.hpp"
#include "host/serve/stdio.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using When = LineWriter::When;

namespace {

struct Pipe {
    Pipe() {
        int ends[2];
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        in = os::Descriptor(ends[0]);
        out = os::Descriptor(ends[1]);
    }
    [[nodiscard]] bool is_empty() const {
        pollfd readable{in.get(), POLLIN, 0};
        return ::poll(&readable, 1, 0) == 0;
    }
    [[nodiscard]] std::string read() const {
        std::string text(1u << 20, '\0');
        const auto got = ::read(in.get(), text.data(), text.size());
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }
    os::Descriptor in, out;
};

}  // namespace

TEST_CASE("a response is held while more lines are waiting, whichever thread it comes from") {
    const Pipe pipe;
    LineWriter writer(pipe.out.get());
    writer.put("alone", When::may_wait);
    CHECK(pipe.read() == "alone\n");
    writer.expect_more(true);
    std::async(std::launch::async, [&] { writer.put("first", When::may_wait); }).get();
    CHECK(pipe.is_empty());
    writer.expect_more(false);
    std::async(std::launch::async, [&] { writer.put("last", When::may_wait); }).get();
    CHECK(pipe.read() == "first\nlast\n");
}

TEST_CASE("a notification is never held, and flushes held lines") {
    const Pipe pipe;
    LineWriter writer(pipe.out.get());
    writer.expect_more(true);
    writer.put("response", When::may_wait);
    CHECK(pipe.is_empty());
    writer.put("notification", When::now);
    CHECK(pipe.read() == "response\nnotification\n");
    writer.put("held", When::may_wait);
    writer.flush();
    CHECK(pipe.read() == "held\n");
}

TEST_CASE("a client that does not read blocks writers, but not the shutdown") {
    const Pipe pipe;
    LineWriter writer(pipe.out.get());
    const std::string much(1u << 20, 'x');  // more than a pipe can hold
    auto writing = std::async(std::launch::async, [&] { writer.put(much, When::now); });
    while (pipe.is_empty()) std::this_thread::yield();
    CHECK_FALSE(writer.flush_within(std::chrono::milliseconds(10)));
    std::size_t got = 0;
    while (got < much.size() + 1) got += pipe.read().size();
    writing.get();
    writer.put("after", When::now);
    CHECK(pipe.read() == "after\n");
    CHECK(writer.flush_within(std::chrono::milliseconds(10)));
}
