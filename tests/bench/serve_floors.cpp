// Servers that parse nothing and answer everything with the same bytes: the minimum of a call.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "host/worker/channel.hpp"
#include "tests/bench/serve_peers.hpp"

namespace toolhost::bench {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

constexpr std::string_view kAnswer =
    R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}],"structuredContent":{"result":5}}})";

// Answers each line of stdin with `answer`, with one write for lines that arrive together.
template <class Answer>
int answer_lines(Answer answer) {
    std::array<char, 65536> buffer;
    for (ssize_t got; (got = ::read(0, buffer.data(), buffer.size())) > 0;) {
        std::string out;
        for (ssize_t i = 0; i < got; ++i)
            if (buffer[static_cast<std::size_t>(i)] == '\n') out.append(answer()) += '\n';
        if (!os::write_all(1, out)) return 1;
    }
    return 0;
}

using worker::LaneEnd;

std::string_view next_message(LaneEnd& lane, worker::Message& message) {
    while (lane.receive(message, std::nullopt) == LaneEnd::Receipt::nothing) continue;
    return message.payload;
}

void pass_on(LaneEnd& lane, worker::MessageKind kind, std::string_view payload) {
    if (lane.send(kind, payload) != LaneEnd::Sending::sent) fail("send");
}

// A worker that does no work: it answers everything with the same bytes.
[[noreturn]] void answer_calls(const worker::Channel& channel) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    LaneEnd lane(LaneEnd::Side::worker, channel.words().lanes[0], channel.rings(0));
    for (worker::Message message;;) {
        (void)next_message(lane, message);
        pass_on(lane, worker::MessageKind::outcome, kAnswer);
    }
}

}  // namespace

int run_floor_stdio() {
    return answer_lines([] { return kAnswer; });
}

int run_floor_isolated() {
    const auto channel = worker::Channel::create();
    if (!channel) return 1;
    const pid_t worker = ::fork();
    if (worker < 0) fail("fork");
    if (worker == 0) answer_calls(*channel);
    LaneEnd lane(LaneEnd::Side::host, channel->words().lanes[0], channel->rings(0));
    worker::Message message;
    return answer_lines([&] {
        pass_on(lane, worker::MessageKind::invoke, kAnswer);
        return next_message(lane, message);
    });
}

int run_floor_http() {
    const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        "Content-Length: " +
        std::to_string(kAnswer.size()) + "\r\n\r\n" + std::string(kAnswer);
    const os::Descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    if (::bind(listening.get(), reinterpret_cast<sockaddr*>(&where), size) != 0 ||
        ::listen(listening.get(), 64) != 0 ||
        ::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&where), &size) != 0)
        fail("listen");
    const auto ready =
        "serving MCP at http://127.0.0.1:" + std::to_string(ntohs(where.sin_port)) + "/mcp\n";
    if (!os::write_all(2, ready)) return 1;
    std::vector<pollfd> all{{listening.get(), POLLIN, 0}};
    std::array<char, 65536> buffer;
    for (;;) {
        if (::poll(all.data(), all.size(), -1) < 0) return 1;
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (all[i].revents == 0) continue;
            // A request arrives in one piece here.
            if (::read(all[i].fd, buffer.data(), buffer.size()) <= 0) {
                ::close(all[i].fd);
                all[i].fd = -1;
            } else if (!os::write_all(all[i].fd, answer)) {
                return 1;
            }
        }
        if (all[0].revents != 0) {
            const int fd = ::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC);
            const int yes = 1;
            ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            if (fd >= 0) all.push_back({fd, POLLIN, 0});
        }
        std::erase_if(all, [](const pollfd& one) { return one.fd < 0; });
    }
}

}  // namespace toolhost::bench
