#include "tests/tools/http_request/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace toolhost::test {

// The server's side of TLS.
struct Server::Tls {
    SSL_CTX* context = SSL_CTX_new(TLS_server_method());

    explicit Tls(const Identity& identity) {
        BIO* key_text = BIO_new_mem_buf(identity.key.data(), static_cast<int>(identity.key.size()));
        BIO* text = BIO_new_mem_buf(identity.certificate.data(),
                                    static_cast<int>(identity.certificate.size()));
        EVP_PKEY* key = PEM_read_bio_PrivateKey(key_text, nullptr, nullptr, nullptr);
        X509* certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
        const bool good = SSL_CTX_use_certificate(context, certificate) == 1 &&
                          SSL_CTX_use_PrivateKey(context, key) == 1;
        X509_free(certificate);
        EVP_PKEY_free(key);
        BIO_free(text);
        BIO_free(key_text);
        if (!good) throw std::runtime_error("the test's certificate is not taken");
    }
    ~Tls() { SSL_CTX_free(context); }
    Tls(const Tls&) = delete;
    Tls& operator=(const Tls&) = delete;
};

namespace {

class Connection : public Wire {
public:
    Connection(int socket, SSL_CTX* context) : socket_(socket) {
        if (!context) return;
        tls_ = SSL_new(context);
        SSL_set_fd(tls_, socket);
        good_ = SSL_accept(tls_) == 1;
    }
    ~Connection() override {
        if (tls_ && good_) SSL_shutdown(tls_);
        SSL_free(tls_);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void send(std::string_view bytes) override {
        while (good_ && !bytes.empty()) {
            const auto sent =
                tls_ ? SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                     : static_cast<int>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
            good_ = sent > 0;
            if (good_) bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    void await_gone() override {
        char byte = 0;
        while (good_ && ::recv(socket_, &byte, 1, 0) > 0) {
        }
        good_ = false;
        close();
    }

    bool read_request(ReceivedRequest& asked) {
        const auto end_of_head = [&] { return buffer_.find("\r\n\r\n"); };
        while (end_of_head() == std::string::npos)
            if (!read_some() || buffer_[0] == '\x16') return false;  // TLS on a plain connection
        const auto head_end = end_of_head() + 4;
        asked.head = buffer_.substr(0, head_end);
        const auto length = static_cast<std::size_t>(
            std::strtoul(asked.header("Content-Length").c_str(), nullptr, 10));
        while (buffer_.size() < head_end + length)
            if (!read_some()) return false;
        asked.body = buffer_.substr(head_end, length);
        buffer_.erase(0, head_end + length);
        const auto space = asked.head.find(' ');
        asked.method = asked.head.substr(0, space);
        asked.target = asked.head.substr(space + 1, asked.head.find(' ', space + 1) - space - 1);
        return true;
    }

private:
    bool read_some() {
        char bytes[16384];
        const auto got = !good_ ? 0
                         : tls_ ? SSL_read(tls_, bytes, sizeof bytes)
                                : static_cast<int>(::recv(socket_, bytes, sizeof bytes, 0));
        good_ = got > 0;
        if (good_) buffer_.append(bytes, static_cast<std::size_t>(got));
        return good_;
    }

    int socket_;
    SSL* tls_ = nullptr;
    bool good_ = true;
    std::string buffer_;
};

}  // namespace

std::string ReceivedRequest::header(std::string_view name) const {
    for (std::size_t at = head.find("\r\n"); at != std::string::npos; at = head.find("\r\n", at)) {
        at += 2;
        if (::strncasecmp(head.data() + at, name.data(), name.size()) != 0 ||
            head[at + name.size()] != ':')
            continue;
        const auto from = head.find_first_not_of(' ', at + name.size() + 1);
        return head.substr(from, head.find("\r\n", at) - from);
    }
    return {};
}

void Wire::answer(int status, std::string_view headers, std::string_view body) {
    send("HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(headers) + "\r\n" + std::string(body));
}

Server::Server(Handler handler, const Identity* identity, const char* address, int port)
    : handler_(std::move(handler)), address_(address) {
    if (identity) tls_ = std::make_unique<Tls>(*identity);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address, &where.sin_addr);
    socklen_t size = sizeof where;
    if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&where), size) != 0 ||
        ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size) != 0)
        throw std::runtime_error("the test's server cannot listen");
    port_ = ntohs(where.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

Server::~Server() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
        std::lock_guard lock(mutex_);
        for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    }
    for (auto& thread : threads_) thread.join();
    for (const int socket : sockets_) ::close(socket);
    ::close(listener_);
}

std::string Server::url(std::string_view path) const {
    return (tls_ ? "https://" : "http://") + address_ + ':' + std::to_string(port_) +
           std::string(path);
}

std::vector<ReceivedRequest> Server::asked() const {
    std::lock_guard lock(mutex_);
    return asked_;
}

void Server::accept_all() {
    for (;;) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (stopping_) {
            if (socket >= 0) ::close(socket);
            return;
        }
        if (socket < 0) continue;
        ++connections_;
        std::lock_guard lock(mutex_);
        sockets_.push_back(socket);
        threads_.emplace_back([this, socket] { serve(socket); });
    }
}

void Server::serve(int socket) {
    // OpenSSL writes to closed connections. SIGPIPE is blocked instead of ignored, because children
    // would inherit that.
    sigset_t pipe;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    {
        Connection connection(socket, tls_ ? tls_->context : nullptr);
        ReceivedRequest asked;
        while (!connection.closed() && connection.read_request(asked)) {
            {
                std::lock_guard lock(mutex_);
                asked_.push_back(asked);
            }
            handler_(asked, connection);
        }
    }
    ERR_clear_error();
    ::shutdown(socket,
               SHUT_RDWR);  // closed with the server, so that the number is not reused before
}

}  // namespace toolhost::test
