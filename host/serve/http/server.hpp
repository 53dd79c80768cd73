// MCP over HTTP: addresses that are listened at, and the connections that come.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/os/adaptive_spin.hpp"
#include "host/os/listener_pool.hpp"
#include "host/serve/collector.hpp"
#include "host/serve/http/endpoint.hpp"
#include "host/serve/http/listener.hpp"
#include "host/serve/metrics.hpp"

namespace toolhost::serve {

struct HttpOptions {
    std::vector<std::string> addresses;  // ADDRESS:PORT; port 0: any that is free
    std::vector<std::string> hosts, origins;
    std::string tls_certificate, tls_key;  // empty: no TLS
    bool behind_proxy = false;             // a proxy in front terminates TLS
    std::shared_ptr<Authenticator> authenticator;
    HttpLimits limits;
    std::size_t sessions = 10'000;
    std::chrono::seconds session_idle{30 * 60};
};

class HttpServer {
public:
    // `metrics` is what the page says beside our own gauges.
    HttpServer(Server& server, HttpOptions options,
               std::function<std::string(std::vector<Gauge>)> metrics);
    ~HttpServer();  // waits for running requests
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Listens at all addresses, or at none.
    [[nodiscard]] Result<void> start();
    // Where it can be reached: http://127.0.0.1:8080/mcp.
    [[nodiscard]] std::vector<std::string> urls() const;

    // For connections that come from now on; what is wrong with it is warned of, and then the one
    // there is stays.
    void reread_certificate();
    // Ends the sessions, calls and streams of a client whose access was revoked.
    void end_of(const Principal& principal);

    // Those that wait for what may come are told that nothing will; requests are taken as before.
    void end_streams() { sessions_.end_standalone(); }
    // No new connections, and no new requests on those there are.
    void close();
    // What runs for sessions is cancelled.
    void cancel_calls();
    // Whether all responses were sent, and no request is running, before the timeout.
    [[nodiscard]] bool await_sent(std::chrono::milliseconds timeout);

private:
    [[nodiscard]] Result<void> listen(const std::string& address);
    [[nodiscard]] bool take_turn();
    void await_bells();
    void greet(TcpSocket socket);
    [[nodiscard]] bool make_room();
    void run(const std::function<void()>& work);
    void forget(HttpConnection& connection);
    void schedule_tick();
    void tick();
    void shed_shares(const std::vector<ConnectionPtr>& all);
    void shed(const std::vector<ConnectionPtr>& of, std::size_t held, std::size_t most,
              const char* whose);
    [[nodiscard]] std::vector<ConnectionPtr> connections();
    [[nodiscard]] std::vector<Gauge> gauges();

    Server& server_;
    const HttpOptions options_;
    std::atomic<std::size_t> held_{0};  // bytes, by all connections
    boost::asio::io_context io_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    HttpSessions sessions_;
    std::vector<std::unique_ptr<HttpListener>> listeners_;
    boost::asio::steady_timer ticker_;
    Mutex mutex_;
    std::shared_ptr<boost::asio::ssl::context> tls_ GUARDED_BY(mutex_);  // null: without
    std::condition_variable gone_;
    std::unordered_map<HttpConnection*, ConnectionPtr> connections_ GUARDED_BY(mutex_);
    std::uint64_t refused_ GUARDED_BY(mutex_) = 0;
    std::atomic<int> working_{0};
    std::atomic<bool> closing_{false};
    os::ListenerPool pool_;
    Collector collector_;
    boost::asio::posix::stream_descriptor bells_;  // a copy of the collector's
    os::AdaptiveSpin spin_;
    // When a thread last began with a request: until then it slept.
    std::atomic<std::chrono::steady_clock::time_point> woken_{};
    HttpEndpoint endpoint_;
};

}  // namespace toolhost::serve
