// One address that is listened at: connections as they come, as fast as there are descriptors.
#pragma once

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <functional>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"
#include "host/serve/http/wire.hpp"

namespace toolhost::serve {

class HttpListener {
public:
    using OnAccept = std::function<void(TcpSocket)>;
    HttpListener(boost::asio::io_context& io, OnAccept greet);

    [[nodiscard]] Result<void> open(const boost::asio::ip::tcp::endpoint& endpoint);
    // Where it is; the port is the one that was free.
    [[nodiscard]] const boost::asio::ip::tcp::endpoint& endpoint() const { return endpoint_; }

    void start();
    void close();  // from any thread

private:
    using Executor = boost::asio::io_context::executor_type;
    using Clock = std::chrono::steady_clock;

    void accept();
    void wait_for_room(boost::system::error_code fault);

    const OnAccept on_accept_;
    Mutex mutex_;  // close() may come while another thread accepts
    boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor> acceptor_ GUARDED_BY(mutex_);
    boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, Executor>
        retry_timer_;
    boost::asio::ip::tcp::endpoint endpoint_;
    bool is_accept_failing_ = false;  // the last accept failed
    std::atomic<bool> closing_{false};
};

}  // namespace toolhost::serve
