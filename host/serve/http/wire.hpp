// Bytes to and from one client: a TCP connection, with TLS or without.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace toolhost::serve {

using TcpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

// Whom a wire tells how things went: never within the call that asked for them, but from a thread
// that listens.
class WireUser {
public:
    virtual ~WireUser() = default;
    virtual void on_opened(boost::system::error_code fault) = 0;
    virtual void on_read(boost::system::error_code fault, std::size_t bytes) = 0;
    virtual void on_written(boost::system::error_code fault, std::size_t bytes) = 0;
};
using WireUserPtr = std::shared_ptr<WireUser>;  // which owns the wire, so that both stay

// For one thread at a time, whichever. One read and one write may be under way at once.
class Wire {
public:
    virtual ~Wire() = default;
    virtual void open(WireUserPtr user) = 0;
    virtual void read(boost::asio::mutable_buffer into, WireUserPtr user) = 0;
    // Sends what it can without waiting; returns the bytes sent. Does not notify the user.
    [[nodiscard]] virtual std::size_t write_now(boost::asio::const_buffer bytes) = 0;
    // Some of these, when that can be.
    virtual void write(boost::asio::const_buffer bytes, WireUserPtr user) = 0;
    // We say no more; what the client still sends can be read.
    virtual void finish_sending(WireUserPtr user) = 0;
    virtual void close(WireUserPtr user) = 0;
    // Does it later, on a thread that listens.
    virtual void post(std::function<void()> work) = 0;
};

// `tls` null: without.
[[nodiscard]] std::unique_ptr<Wire> make_wire(TcpSocket socket,
                                              std::shared_ptr<boost::asio::ssl::context> tls);

}  // namespace toolhost::serve
