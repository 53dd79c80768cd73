#include "host/serve/http/listener.hpp"

#include <spdlog/spdlog.h>

#include "host/serve/http/address.hpp"

namespace toolhost::serve {
namespace {

using boost::asio::ip::tcp;

// After a failed accept, which a lack of descriptors makes fail again at once.
constexpr std::chrono::milliseconds kAcceptRetryDelay{100};

}  // namespace

HttpListener::HttpListener(boost::asio::io_context& io, OnAccept greet)
    : on_accept_(std::move(greet)), acceptor_(io.get_executor()), retry_timer_(io.get_executor()) {}

Result<void> HttpListener::open(const tcp::endpoint& endpoint) {
    MutexLock lock(mutex_);
    boost::system::error_code fault;
    acceptor_.open(endpoint.protocol(), fault);
    if (!fault) acceptor_.set_option(tcp::acceptor::reuse_address(true), fault);
    if (!fault) acceptor_.bind(endpoint, fault);
    if (!fault) acceptor_.listen(boost::asio::socket_base::max_listen_connections, fault);
    if (!fault) endpoint_ = acceptor_.local_endpoint(fault);
    if (!fault) return {};
    return Error{ErrorCode::listen_failed,
                 "cannot listen at " + shown(endpoint) + ": " + fault.message() +
                     "; port 0 picks a free port",
                 {{"address", shown(endpoint)}}};
}

void HttpListener::start() {
    accept();
}

void HttpListener::accept() {
    MutexLock lock(mutex_);
    if (closing_) return;
    acceptor_.async_accept([this](boost::system::error_code fault, TcpSocket socket) {
        if (closing_) return;
        if (fault) return wait_for_room(fault);
        if (std::exchange(is_accept_failing_, false)) spdlog::warn("accepting connections again");
        on_accept_(std::move(socket));
        accept();
    });
}

// New connections meanwhile wait in the kernel's queue.
void HttpListener::wait_for_room(boost::system::error_code fault) {
    if (!std::exchange(is_accept_failing_, true))
        spdlog::warn(
            "cannot accept connections: {}; retrying. If descriptors have run out, raise the limit "
            "(ulimit -n) or lower --max-connections",
            fault.message());
    retry_timer_.expires_after(kAcceptRetryDelay);
    retry_timer_.async_wait([this](boost::system::error_code) { accept(); });
}

void HttpListener::close() {
    MutexLock lock(mutex_);
    closing_ = true;
    boost::system::error_code ignored;
    acceptor_.close(ignored);
}

}  // namespace toolhost::serve
