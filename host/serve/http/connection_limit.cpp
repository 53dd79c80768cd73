// The maximum of connections, and which of them are closed to make room. Part of HttpServer
// (server.hpp).
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

#include "host/serve/http/server.hpp"

namespace toolhost::serve {
namespace {

using boost::asio::ip::tcp;

// So many more than the limit are told why they are turned away; others are just closed.
constexpr std::size_t kTurnedAway = 64;

}  // namespace

void HttpServer::greet(TcpSocket socket) {
    boost::system::error_code ignored;  // it is only quicker with it
    socket.set_option(tcp::no_delay(true), ignored);
    std::shared_ptr<boost::asio::ssl::context> tls;
    {
        MutexLock lock(mutex_);
        tls = tls_;
    }
    auto connection = std::make_shared<HttpConnection>(
        make_wire(std::move(socket), std::move(tls)), options_.limits, held_,
        [this](const ConnectionPtr& asked) { endpoint_.take(asked); },
        [this](HttpConnection& closed) { forget(closed); });
    if (options_.authenticator) connection->expect_token();
    const bool has_room = make_room();
    {
        MutexLock lock(mutex_);
        if (!has_room) ++refused_;
        if (connections_.size() >= options_.limits.connections + kTurnedAway) return;
        connections_.emplace(connection.get(), connection);
    }
    if (has_room)
        connection->start();
    else
        connection->turn_away("too many connections (" +
                              std::to_string(options_.limits.connections) + "): try again later");
    // close() may have gone through the connections before this one was among them.
    if (closing_) connection->wind_up();
}

// For one more. Unauthenticated connections have a share of all connections. If the share or the
// whole is full, the oldest of them is closed: they can take room from each other only.
bool HttpServer::make_room() {
    std::vector<ConnectionPtr> unauthenticated;
    {
        MutexLock lock(mutex_);
        const bool is_full = connections_.size() >= options_.limits.connections;
        if (!options_.authenticator) return !is_full;
        for (const auto& [key, connection] : connections_)
            if (connection->is_unauthenticated()) unauthenticated.push_back(connection);
        if (!is_full && unauthenticated.size() < options_.limits.unauthenticated()) return true;
    }
    std::ranges::sort(unauthenticated, {},
                      [](const auto& connection) { return connection->begun(); });
    return std::ranges::any_of(unauthenticated,
                               [](const auto& oldest) { return oldest->give_way(); });
}

void HttpServer::forget(HttpConnection& connection) {
    MutexLock lock(mutex_);
    connections_.erase(&connection);
    if (connections_.empty()) gone_.notify_all();
}

std::vector<ConnectionPtr> HttpServer::connections() {
    MutexLock lock(mutex_);
    std::vector<ConnectionPtr> all;
    all.reserve(connections_.size());
    for (const auto& [key, connection] : connections_) all.push_back(connection);
    return all;
}

// Principals that hold more than their share lose connections, so that others need not.
void HttpServer::shed_shares(const std::vector<ConnectionPtr>& all) {
    const auto most = server_.share_of(options_.limits.held_bytes);
    std::map<UsagePtr, std::vector<ConnectionPtr>> theirs;
    for (const auto& connection : all)
        if (connection->holds() > 0)
            if (const auto usage = connection->charged(); usage && usage->bytes > most)
                theirs[usage].push_back(connection);
    for (const auto& [usage, connections] : theirs)
        shed(connections, usage->bytes, most, "one client");
}

// Those that hold most go first: few of them are nearly all of it.
void HttpServer::shed(const std::vector<ConnectionPtr>& of, std::size_t held, std::size_t most,
                      const char* whose) {
    std::vector<std::pair<std::size_t, ConnectionPtr>> holders;
    for (const auto& connection : of) holders.emplace_back(connection->holds(), connection);
    std::ranges::sort(holders, std::greater(), [](const auto& one) { return one.first; });
    std::size_t closed = 0;
    for (const auto& [holds, connection] : holders) {
        if (held <= most) break;
        held -= std::min(held, holds);
        connection->close();
        ++closed;
    }
    spdlog::warn("{} connections were closed: {} held more than {} bytes", closed, whose, most);
}

}  // namespace toolhost::serve
