#include "tests/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace toolhost::test {
namespace {

constexpr int kPatienceMs = 30'000;

bool await(int socket, short what, int timeout_ms) {
    pollfd waiting{socket, what, 0};
    int ready;
    do ready = ::poll(&waiting, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

std::string in_lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

}  // namespace

RawClient::RawClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) throw std::runtime_error("socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return;
    ::close(socket_);
    throw std::runtime_error("no listener at port " + std::to_string(port));
}

RawClient::RawClient(RawClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      buffer_(std::move(other.buffer_)),
      events_(std::move(other.events_)),
      no_body_(other.no_body_) {}

bool RawClient::receives_within(int milliseconds) const {
    return await(socket_, POLLIN, milliseconds);
}

RawClient::~RawClient() {
    close();
}

void RawClient::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void RawClient::reset() {
    const linger at_once{1, 0};
    (void)::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
}

void RawClient::finish_sending() const {
    (void)::shutdown(socket_, SHUT_WR);
}

void RawClient::shrink_receive_buffer() const {
    const int bytes = 4096;
    (void)::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

bool RawClient::send(std::string_view bytes, int timeout_ms) {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) return false;
        if (!await(socket_, POLLOUT, timeout_ms)) return false;
    }
    return true;
}

bool RawClient::fill() {
    if (!await(socket_, POLLIN, kPatienceMs))
        throw std::runtime_error("the server said nothing for half a minute after: " + buffer_);
    char bytes[16 << 10];
    const auto got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got <= 0) return false;  // closed, or reset
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::optional<std::string> RawClient::line() {
    for (;;) {
        if (const auto end = buffer_.find("\r\n"); end != buffer_.npos) {
            auto text = buffer_.substr(0, end);
            buffer_.erase(0, end + 2);
            return text;
        }
        if (!fill()) return std::nullopt;
    }
}

HttpAnswer RawClient::read_head() {
    HttpAnswer answer;
    auto first = line();
    if (!first) return answer;
    if (first->size() < 12) throw std::runtime_error("no answer of HTTP: " + *first);
    const int status = std::stoi(first->substr(9, 3));
    while (const auto field = line()) {
        if (field->empty()) {
            answer.status = status;
            return answer;
        }
        const auto colon = field->find(": ");
        if (colon == field->npos) throw std::runtime_error("no header of HTTP: " + *field);
        answer.headers[in_lower_case(field->substr(0, colon))] = field->substr(colon + 2);
    }
    return {};
}

std::optional<std::string> RawClient::chunk() {
    const auto size_line = line();
    if (!size_line) return std::nullopt;
    const auto size = std::stoul(*size_line, nullptr, 16);
    while (buffer_.size() < size + 2)
        if (!fill()) return std::nullopt;
    auto data = buffer_.substr(0, size);
    buffer_.erase(0, size + 2);
    return data;
}

HttpAnswer RawClient::read() {
    auto answer = read_head();
    if (answer.status == 0 || answer.status == 100 || answer.status == 204 || no_body_)
        return answer;
    if (answer.header("transfer-encoding") == "chunked") {
        for (;;) {
            const auto part = chunk();
            if (!part) throw std::runtime_error("a stream was cut off after: " + answer.body);
            if (part->empty()) return answer;
            answer.body += *part;
        }
    }
    const auto size = std::stoul(answer.header("content-length"));
    while (buffer_.size() < size)
        if (!fill()) throw std::runtime_error("an answer was cut off after: " + buffer_);
    answer.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return answer;
}

std::optional<StreamEvent> RawClient::next_event() {
    for (;;) {
        const auto end = events_.find("\n\n");
        if (end == events_.npos) {
            const auto part = chunk();
            if (!part || part->empty()) return std::nullopt;
            events_ += *part;
            continue;
        }
        const auto text = events_.substr(0, end + 1);
        events_.erase(0, end + 2);
        StreamEvent event;
        bool any = false;
        for (std::size_t at = 0; at < text.size();) {
            const auto stop = text.find('\n', at);
            const auto field = text.substr(at, stop - at);
            at = stop + 1;
            if (field.starts_with("id: ")) event.id = field.substr(4), any = true;
            if (field.starts_with("data: ")) event.data += field.substr(6), any = true;
        }
        if (any) return event;  // otherwise it was a heartbeat
    }
}

bool RawClient::ends() {
    while (fill()) buffer_.clear();
    return true;
}

std::string http_request(std::string_view method, std::string_view path, std::string_view headers,
                         std::string_view body) {
    std::string text;
    text.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
    text.append(headers);
    if (!body.empty() || method == "POST")
        text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    return text.append("\r\n").append(body);
}

std::string mcp_post(std::string_view body, std::string_view more) {
    std::string headers =
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    return http_request("POST", "/mcp", headers.append(more), body);
}

std::string adder_post(const std::string& token) {
    constexpr std::string_view kBody =
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"adder",)"
        R"("arguments":{"a":20,"b":22},"_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    std::string headers =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: adder\r\n";
    if (!token.empty()) headers += "Authorization: Bearer " + token + "\r\n";
    return mcp_post(kBody, headers);
}

}  // namespace toolhost::test
