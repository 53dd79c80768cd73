// Where a server listens, and what it takes to be reached from elsewhere.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::serve {

struct HttpOptions;

// "127.0.0.1:8080", "[::1]:8080", "localhost:0".
[[nodiscard]] Result<boost::asio::ip::tcp::endpoint> read_address(const std::string& text);
// The same the other way round.
[[nodiscard]] std::string shown(const boost::asio::ip::tcp::endpoint& endpoint);

// The names by which clients may ask: those that are allowed, and the addresses themselves.
[[nodiscard]] std::vector<std::string> known_hosts(const HttpOptions& options);

// An address that other machines can reach requires authentication and TLS.
[[nodiscard]] Result<void> check_public(const boost::asio::ip::tcp::endpoint& endpoint,
                                        const HttpOptions& options);

}  // namespace toolhost::serve
