// A TLS client that trusts only one certificate.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <string>

#include "tests/certificate.hpp"

namespace toolhost::test {

class TlsClient {
public:
    TlsClient(std::uint16_t port, const std::string& trusted) : trust_(trust(trusted)) {
        stream_.lowest_layer().connect({boost::asio::ip::address_v4::loopback(), port});
        stream_.handshake(boost::asio::ssl::stream_base::client, fault_);
    }
    // Whether the server's certificate is that one.
    [[nodiscard]] bool is_trusting() const { return !fault_; }
    // The answer, as far as it arrives in one piece.
    [[nodiscard]] std::string ask(const std::string& request) {
        boost::asio::write(stream_, boost::asio::buffer(request));
        std::string answer(16 << 10, '\0');
        answer.resize(stream_.read_some(boost::asio::buffer(answer)));
        return answer;
    }

private:
    static boost::asio::ssl::context trust(const std::string& file) {
        boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
        context.load_verify_file(file);
        context.set_verify_mode(boost::asio::ssl::verify_peer);
        return context;
    }

    boost::asio::io_context io_;
    boost::asio::ssl::context trust_;
    boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream_{io_, trust_};
    boost::system::error_code fault_;
};

}  // namespace toolhost::test
