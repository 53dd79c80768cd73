#include "host/serve/http/wire.hpp"

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

namespace toolhost::serve {
namespace {

namespace net = boost::asio;
using Fault = boost::system::error_code;

class PlainWire : public Wire {
public:
    explicit PlainWire(TcpSocket socket) : socket_(std::move(socket)) {}

    Strand strand() override { return socket_.get_executor(); }
    void open(std::function<void(Fault)> done) override { done({}); }
    void read(net::mutable_buffer into, Done done) override {
        socket_.async_read_some(into, std::move(done));
    }
    void write(net::const_buffer all, Done done) override {
        net::async_write(socket_, all, std::move(done));
    }
    void finish_sending() override {
        Fault ignored;  // a client that is gone already is as good
        socket_.shutdown(TcpSocket::shutdown_send, ignored);
    }
    void close() override {
        Fault ignored;
        socket_.close(ignored);
    }

private:
    TcpSocket socket_;
};

class TlsWire : public Wire {
public:
    TlsWire(TcpSocket socket, net::ssl::context& tls) : stream_(std::move(socket), tls) {}

    Strand strand() override { return stream_.get_executor(); }
    void open(std::function<void(Fault)> done) override {
        stream_.async_handshake(net::ssl::stream_base::server, std::move(done));
    }
    void read(net::mutable_buffer into, Done done) override {
        stream_.async_read_some(into, std::move(done));
    }
    void write(net::const_buffer all, Done done) override {
        net::async_write(stream_, all, std::move(done));
    }
    // Every response says where it ends, so TLS's own farewell would tell nothing new.
    void finish_sending() override {
        Fault ignored;
        stream_.next_layer().shutdown(TcpSocket::shutdown_send, ignored);
    }
    void close() override {
        Fault ignored;
        stream_.next_layer().close(ignored);
    }

private:
    net::ssl::stream<TcpSocket> stream_;
};

}  // namespace

std::unique_ptr<Wire> make_wire(TcpSocket socket, net::ssl::context* tls) {
    if (tls) return std::make_unique<TlsWire>(std::move(socket), *tls);
    return std::make_unique<PlainWire>(std::move(socket));
}

}  // namespace toolhost::serve
