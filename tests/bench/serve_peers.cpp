#include "tests/bench/serve_peers.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "host/os/spawn.hpp"

namespace toolhost::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void write_whole(int descriptor, std::string_view bytes) {
    if (!os::write_all(descriptor, bytes)) fail("write");
}

void read_some(int descriptor, std::string& into) {
    const auto size = into.size();
    into.resize(size + (64u << 10));
    const auto got = ::read(descriptor, into.data() + size, 64u << 10);
    into.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) throw std::runtime_error("the server has closed its end");
}

// CPU time of a process and its descendants.
double tree_seconds(pid_t pid) {
    clockid_t clock{};
    timespec time{};
    double sum = 0;
    if (::clock_getcpuclockid(pid, &clock) == 0 && ::clock_gettime(clock, &time) == 0)
        sum = static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    std::error_code gone;
    const auto threads = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) sum += tree_seconds(child);
    }
    return sum;
}

}  // namespace

Peer::Peer(const std::vector<std::string>& command, int cpu) {
    int in[2], out[2], err[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0)
        fail("pipe");
    in_ = os::Descriptor(in[1]);
    out_ = os::Descriptor(out[0]);
    err_ = os::Descriptor(err[0]);
    const os::Descriptor theirs_in(in[0]), theirs_out(out[1]), theirs_err(err[1]);
    auto words = command;
    const auto arguments = os::pointers(words);
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ > 0) return;
    pin(cpu);
    ::dup2(in[0], 0), ::dup2(out[1], 1), ::dup2(err[1], 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

Peer::~Peer() {
    in_.reset();
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
}

std::string Peer::await_line(std::string_view word) {
    std::string line;
    for (char c = 0; ::read(err_.get(), &c, 1) == 1;) {
        if (c != '\n') {
            line += c;
        } else {
            if (line.find(word) != line.npos) return line;
            line.clear();
        }
    }
    throw std::runtime_error("the server ended before it was ready: " + line);
}

double Peer::cpu_seconds() const {
    return tree_seconds(pid_);
}

void StdioLine::send(std::string_view request) {
    write_whole(peer_.in(), std::string(request) + '\n');
}

std::string StdioLine::receive() {
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != buffer_.npos) {
            auto line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        read_some(peer_.out(), buffer_);
    }
}

HttpLine::HttpLine(std::uint16_t port, std::string headers)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), headers_(std::move(headers)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    if (!socket_ ||
        ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&where), sizeof where) != 0 ||
        ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0)
        fail("connect");
}

void HttpLine::send(std::string_view request) {
    std::string bytes =
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n" +
        headers_ + "Content-Length: " + std::to_string(request.size()) + "\r\n\r\n";
    write_whole(socket_.get(), bytes.append(request));
}

std::string HttpLine::header(std::string_view name) const {
    const auto at = head_.find(name);
    if (at == head_.npos) return {};
    const auto begin = at + name.size() + 2;
    return head_.substr(begin, head_.find('\r', begin) - begin);
}

// A body with a declared length, or the chunks of a stream to the last one.
std::string HttpLine::receive() {
    buffer_.clear();
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos) read_some(socket_.get(), buffer_);
    head_ = buffer_.substr(0, end + 2);
    auto length = header("Content-Length");
    if (length.empty()) length = header("content-length");
    if (length.empty()) {
        while (!buffer_.ends_with("0\r\n\r\n")) read_some(socket_.get(), buffer_);
        const auto data = buffer_.rfind("data: ");
        return buffer_.substr(data + 6, buffer_.find('\n', data) - data - 6);
    }
    const auto whole = end + 4 + std::stoul(length);
    while (buffer_.size() < whole) read_some(socket_.get(), buffer_);
    return buffer_.substr(end + 4);
}

Figures drive(const std::vector<Line*>& lines, int calls, int window, const std::string& rest) {
    static int ids = 0;
    call::Histogram histogram;
    std::vector<Clock::time_point> sent(lines.size());
    std::vector<pollfd> ready;
    for (const auto* line : lines) ready.push_back({line->descriptor(), POLLIN, 0});
    auto ask = [&](std::size_t i) {
        sent[i] = Clock::now();
        lines[i]->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++ids) + ',' + rest);
    };
    const auto start = Clock::now();
    int asked = 0, answered = 0;
    for (; asked < window; ++asked) ask(static_cast<std::size_t>(asked) % lines.size());
    while (answered < calls) {
        // With a single line, the read itself waits.
        if (lines.size() > 1 && ::poll(ready.data(), ready.size(), -1) < 0) fail("poll");
        for (std::size_t i = 0; i < lines.size() && answered < calls; ++i) {
            if (lines.size() > 1 && (ready[i].revents & POLLIN) == 0) continue;
            const auto answer = lines[i]->receive();
            if (answer.find("\"result\"") == answer.npos)
                throw std::runtime_error("not an answer: " + answer);
            histogram.add(static_cast<std::uint64_t>(
                std::chrono::nanoseconds(Clock::now() - sent[i]).count()));
            ++answered;
            if (asked < calls) ask(i), ++asked;
        }
    }
    const std::chrono::duration<double> took = Clock::now() - start;
    return {answered / took.count(), static_cast<double>(histogram.percentile(0.5)) / 1000,
            static_cast<double>(histogram.percentile(0.99)) / 1000};
}

void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int cores = cpu < 0 ? static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)) : 0;
    for (int i = 0; i < cores; ++i) CPU_SET(static_cast<std::size_t>(i), &set);
    if (cpu >= 0) CPU_SET(static_cast<std::size_t>(cpu), &set);
    (void)::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace toolhost::bench
