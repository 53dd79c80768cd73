// What one client may have of this server, and for how long.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace toolhost::serve {

struct HttpLimits {
    std::size_t connections = 1024;
    // If tokens are required: the maximum of unauthenticated connections, so that clients with a
    // token keep the other half.
    [[nodiscard]] std::size_t unauthenticated() const {
        return std::max<std::size_t>(1, connections / 2);
    }
    std::size_t header_bytes = 16u << 10;
    std::size_t body_bytes = 16u << 20;
    // The maximum unread output of a client, after which it is disconnected.
    std::size_t unsent_bytes = 16u << 20;
    // Bodies and unread responses of all connections together. Beyond it bodies are refused, and
    // the connections that hold most are closed.
    std::size_t held_bytes = 128u << 20;
    // From a connection's begin to the end of its first request's headers, where tokens are asked
    // for. A client that has one sends it within a few round trips, TLS included.
    std::chrono::milliseconds first_head{10'000};
    std::chrono::milliseconds request{30'000};   // from a request's first byte to its last
    std::chrono::milliseconds idle{75'000};      // between requests
    std::chrono::milliseconds sending{120'000};  // of an answer that is there
    std::chrono::milliseconds stream_pulse{15'000};
};

}  // namespace toolhost::serve
