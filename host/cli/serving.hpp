// A server that runs: the protocol, its transports, and how they start and end.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "host/cli/serve_options.hpp"
#include "host/cli/serve_orders.hpp"
#include "host/host.hpp"
#include "host/os/descriptor.hpp"
#include "host/serve/http/server.hpp"
#include "host/serve/stdio.hpp"

namespace toolhost::cli {

class Serving {
public:
    // All of them outlive this. The host's watch may use this: it ends first.
    Serving(Host& host, const ServeOptions& wanted);
    ~Serving();
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

    // A client that closes its end orders the server to end.
    void start_stdio(const std::shared_ptr<ServeOrders>& orders);
    // Says on stderr where it listens and which token clients must send.
    [[nodiscard]] Result<void> start_http();

    [[nodiscard]] serve::Listeners& listeners() { return server_.listeners(); }
    // The profiles, the tokens and the certificate. True: other tools may be called now.
    [[nodiscard]] bool reread();

    // No new calls; running ones may finish, then they are told to stop. False: something still
    // runs, and this cannot be destroyed.
    [[nodiscard]] bool end_well();
    // A thread waits for the client's next line. It cannot be stopped, so this must stay.
    [[nodiscard]] bool awaits_client() const { return stdio_ && !client_closed_; }

private:
    [[nodiscard]] std::vector<serve::Gauge> gauges() const;

    Host& host_;
    const ServeOptions& wanted_;
    serve::Server server_;
    os::Descriptor in_;
    std::optional<serve::StdioServer> stdio_;
    std::optional<serve::HttpServer> http_;
    std::atomic<bool> client_closed_{false};
    std::thread stdio_waiter_;
};

// That the host has this profile and that it can be used. It is loaded by that, so that no client
// waits for it later.
[[nodiscard]] serve::ProfileCheck profile_check(Host& host);

}  // namespace toolhost::cli
