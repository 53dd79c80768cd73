#include "host/serve/http/wire.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/strand.hpp>

namespace toolhost::serve {
namespace {

namespace net = boost::asio;
using Fault = boost::system::error_code;

class PlainWire : public Wire {
public:
    explicit PlainWire(TcpSocket socket) : socket_(std::move(socket)) {
        Fault fault;
        socket_.non_blocking(true, fault);
        writes_now_ = !fault;
    }

    void open(WireUserPtr user) override {
        post([user = std::move(user)] { user->on_opened({}); });
    }
    void read(net::mutable_buffer into, WireUserPtr user) override {
        socket_.async_read_some(
            into, [user = std::move(user)](Fault fault, auto n) { user->on_read(fault, n); });
    }
    std::size_t write_now(net::const_buffer bytes) override {
        Fault ignored;  // the write that follows has it, too
        return writes_now_ ? socket_.write_some(bytes, ignored) : 0;
    }
    void write(net::const_buffer bytes, WireUserPtr user) override {
        socket_.async_write_some(
            bytes, [user = std::move(user)](Fault fault, auto n) { user->on_written(fault, n); });
    }
    void finish_sending(WireUserPtr) override {
        Fault ignored;  // a client that is gone already is as good
        socket_.shutdown(TcpSocket::shutdown_send, ignored);
    }
    void close(WireUserPtr) override {
        Fault ignored;
        socket_.close(ignored);
    }
    void post(std::function<void()> work) override {
        net::post(socket_.get_executor(), std::move(work));
    }

private:
    TcpSocket socket_;
    bool writes_now_ = false;
};

// TLS reads in order to write and the other way round, by steps of its own: a strand keeps them
// apart. Its user hears of them outside of it, since what a user does may take long.
class TlsWire : public Wire {
    template <class Work>
    void within(WireUserPtr user, Work work) {
        net::dispatch(strand_, [user = std::move(user), work] { work(user); });
    }
    template <class... Results>
    auto telling(const WireUserPtr& user, void (WireUser::*what)(Results...)) {
        return net::bind_executor(strand_, [this, user, what](Results... results) {
            net::post(stream_.get_executor(), [=] { (*user.*what)(results...); });
        });
    }

public:
    TlsWire(TcpSocket socket, std::shared_ptr<net::ssl::context> tls)
        : tls_(std::move(tls)),
          stream_(std::move(socket), *tls_),
          strand_(net::make_strand(stream_.get_executor())) {}

    void open(WireUserPtr user) override {
        within(std::move(user), [this](const WireUserPtr& kept) {
            stream_.async_handshake(net::ssl::stream_base::server,
                                    telling(kept, &WireUser::on_opened));
        });
    }
    void read(net::mutable_buffer into, WireUserPtr user) override {
        within(std::move(user), [this, into](const WireUserPtr& kept) {
            stream_.async_read_some(into, telling(kept, &WireUser::on_read));
        });
    }
    std::size_t write_now(net::const_buffer) override { return 0; }
    void write(net::const_buffer bytes, WireUserPtr user) override {
        within(std::move(user), [this, bytes](const WireUserPtr& kept) {
            stream_.async_write_some(bytes, telling(kept, &WireUser::on_written));
        });
    }
    // Every response says where it ends, so TLS's own farewell would tell nothing new.
    void finish_sending(WireUserPtr user) override {
        within(std::move(user), [this](const WireUserPtr&) {
            Fault ignored;
            stream_.next_layer().shutdown(TcpSocket::shutdown_send, ignored);
        });
    }
    void close(WireUserPtr user) override {
        within(std::move(user), [this](const WireUserPtr&) {
            Fault ignored;
            stream_.next_layer().close(ignored);
        });
    }
    void post(std::function<void()> work) override {
        net::post(stream_.get_executor(), std::move(work));
    }

private:
    const std::shared_ptr<net::ssl::context> tls_;
    net::ssl::stream<TcpSocket> stream_;
    net::strand<TcpSocket::executor_type> strand_;
};

}  // namespace

std::unique_ptr<Wire> make_wire(TcpSocket socket, std::shared_ptr<net::ssl::context> tls) {
    if (tls) return std::make_unique<TlsWire>(std::move(socket), std::move(tls));
    return std::make_unique<PlainWire>(std::move(socket));
}

}  // namespace toolhost::serve
