// A small web server on this machine: serves documents by path, over http or TLS, one connection at
// a time. It counts requests, and can delay all answers.
#pragma once

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tests/certificate.hpp"

namespace toolhost::test {

class LoopbackIssuer {
public:
    explicit LoopbackIssuer(const std::optional<Certificate>& certificate = {})
        : acceptor_(context_, {boost::asio::ip::make_address("127.0.0.1"), 0}) {
        if (certificate) {
            tls_.emplace(boost::asio::ssl::context::tls_server);
            tls_->use_certificate_chain_file(certificate->chain_file);
            tls_->use_private_key_file(certificate->key_file, boost::asio::ssl::context::pem);
        }
        thread_ = std::thread([this] { run(); });
    }
    ~LoopbackIssuer() {
        {
            std::lock_guard lock(mutex_);
            over_ = true;
            held_ = false;
            changed_.notify_all();
        }
        ::shutdown(acceptor_.native_handle(), SHUT_RDWR);  // wakes accept()
        thread_.join();
    }
    LoopbackIssuer(const LoopbackIssuer&) = delete;
    LoopbackIssuer& operator=(const LoopbackIssuer&) = delete;

    [[nodiscard]] std::string url(const std::string& path = "") const {
        return (tls_ ? "https://localhost:" : "http://127.0.0.1:") +
               std::to_string(acceptor_.local_endpoint().port()) + path;
    }
    void offer(const std::string& path, const std::string& body, unsigned status = 200) {
        std::lock_guard lock(mutex_);
        documents_[path] = {body, status};
    }
    [[nodiscard]] int asked(const std::string& path) {
        std::lock_guard lock(mutex_);
        return asked_[path];
    }
    // From now on answers wait for release().
    void hold() {
        std::lock_guard lock(mutex_);
        held_ = true;
    }
    void release() {
        std::lock_guard lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }
    void await_asked(const std::string& path, int times) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return asked_[path] >= times; });
    }

private:
    using Socket = boost::asio::ip::tcp::socket;
    struct Document {
        std::string body;
        unsigned status = 404;
    };

    void run() {
        for (;;) {
            boost::system::error_code fault;
            Socket socket(context_);
            acceptor_.accept(socket, fault);
            {
                std::lock_guard lock(mutex_);
                if (over_) return;
            }
            if (fault) continue;
            if (!tls_) {
                answer(socket);
                continue;
            }
            boost::asio::ssl::stream<Socket> stream(std::move(socket), *tls_);
            stream.handshake(boost::asio::ssl::stream_base::server, fault);
            if (!fault) answer(stream);
        }
    }
    template <class Stream>
    void answer(Stream& stream) {
        namespace http = boost::beast::http;
        boost::system::error_code fault;
        boost::beast::flat_buffer buffer;
        http::request<http::empty_body> request;
        http::read(stream, buffer, request, fault);
        if (fault) return;
        const auto document = found(std::string(request.target()));
        http::response<http::string_body> response(http::int_to_status(document.status), 11);
        response.body() = document.body;
        response.keep_alive(false);
        response.prepare_payload();
        http::write(stream, response, fault);
    }
    Document found(const std::string& path) {
        std::unique_lock lock(mutex_);
        ++asked_[path];
        changed_.notify_all();
        changed_.wait(lock, [&] { return !held_; });
        return documents_[path];
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, Document> documents_;
    std::map<std::string, int> asked_;
    bool held_ = false, over_ = false;
    boost::asio::io_context context_;
    boost::asio::ip::tcp::acceptor acceptor_;
    std::optional<boost::asio::ssl::context> tls_;
    std::thread thread_;
};

}  // namespace toolhost::test
