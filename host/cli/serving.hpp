// A running server: the protocol and its transports, with their start and end.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "host/cli/serve_options.hpp"
#include "host/cli/server_control.hpp"
#include "host/host.hpp"
#include "host/os/descriptor.hpp"
#include "host/serve/http/server.hpp"
#include "host/serve/stdio.hpp"

namespace toolhost::cli {

class Serving {
public:
    // Both must outlive this. The host's watch may use this, so the destructor stops it first.
    Serving(core::Host& host, const ServeOptions& wanted);
    ~Serving();
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    // The server ends when the client closes its end.
    void start_stdio(const std::shared_ptr<ServerControl>& control);
    // Prints the addresses and the required token to stderr.
    [[nodiscard]] Result<void> start_http();

    [[nodiscard]] serve::Listeners& listeners() { return server_.listeners(); }
    // Reads the profiles, tokens and certificate again. Returns whether the set of allowed tools
    // changed.
    [[nodiscard]] bool reload();

    // Refuses new calls; running ones may finish within the grace period and are then cancelled.
    // Returns false if something still runs; then this must not be destroyed.
    [[nodiscard]] bool shut_down();
    // Whether a thread waits for the client's next line. It cannot be stopped, so this must then
    // not be destroyed.
    [[nodiscard]] bool awaits_client() const { return stdio_ && !client_closed_; }

private:
    [[nodiscard]] std::vector<serve::Gauge> gauges() const;

    core::Host& host_;
    const ServeOptions& wanted_;
    serve::Server server_;
    os::Descriptor in_;
    std::optional<serve::StdioServer> stdio_;
    std::optional<serve::HttpServer> http_;
    std::atomic<bool> client_closed_{false};
    std::thread stdio_waiter_;
};

// Checks that a profile exists and is usable, and loads it, so that the first call does not wait.
[[nodiscard]] serve::ProfileCheck profile_check(core::Host& host);

}  // namespace toolhost::cli
