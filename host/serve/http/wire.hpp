// Bytes to and from one client: a TCP connection, with TLS or without.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <functional>
#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace toolhost::serve {

using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
using TcpSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Strand>;

// All of it within the strand. One read and one write may be under way at once.
class Wire {
public:
    using Done = std::function<void(boost::system::error_code, std::size_t)>;

    virtual ~Wire() = default;
    [[nodiscard]] virtual Strand strand() = 0;
    virtual void open(std::function<void(boost::system::error_code)> done) = 0;
    virtual void read(boost::asio::mutable_buffer into, Done done) = 0;
    virtual void write(boost::asio::const_buffer all, Done done) = 0;
    // We say no more; what the client still sends can be read.
    virtual void finish_sending() = 0;
    virtual void close() = 0;
};

// `tls` null: without.
[[nodiscard]] std::unique_ptr<Wire> make_wire(TcpSocket socket, boost::asio::ssl::context* tls);

}  // namespace toolhost::serve
