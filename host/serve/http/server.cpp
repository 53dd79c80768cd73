#include "host/serve/http/server.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "host/os/descriptor.hpp"
#include "host/serve/http/address.hpp"
#include "host/serve/http/tls.hpp"

namespace toolhost::serve {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

// How finely timeouts are kept.
constexpr std::chrono::milliseconds kTick{250};

// Leaves room for several bodies of the maximum size at once.
HttpOptions with_room(HttpOptions options) {
    auto& limits = options.limits;
    limits.held_bytes = std::max(limits.held_bytes, 4 * limits.body_bytes);
    return options;
}

}  // namespace

HttpServer::HttpServer(Server& server, HttpOptions options,
                       std::function<std::string(std::vector<Gauge>)> metrics)
    : server_(server),
      options_(with_room(std::move(options))),
      work_(net::make_work_guard(io_)),
      sessions_(options_.sessions, options_.session_idle),
      ticker_(io_),
      pool_([this] { return take_turn(); }),
      collector_(server.options().posted, pool_),
      bells_(io_),
      endpoint_({server_, sessions_, HttpGate(known_hosts(options_), options_.origins),
                 options_.limits, options_.authenticator,
                 [this, metrics = std::move(metrics)] { return metrics(gauges()); },
                 [this](const std::function<void()>& work) { run(work); }}) {}

HttpServer::~HttpServer() {
    io_.stop();
    pool_.stop();
    pool_.join();
    collector_.close();
    collector_.await_gone();
}

// One event, and the calls that have ended. The next request of a busy client comes sooner than a
// core wakes up.
bool HttpServer::take_turn() {
    collector_.collect();
    const auto event = [this] { return io_.poll_one() > 0; };
    if (os::can_spin() ? spin_.until([&] { return collector_.ready() || event(); }) : event())
        return collector_.collect(), true;
    const Collector::Sleep sleep(collector_);
    if (collector_.collect()) return true;
    const auto start = spin_.now();
    const bool any = io_.run_one() > 0;
    const auto woken = woken_.load(std::memory_order_relaxed);
    spin_.slept((woken > start ? woken : spin_.now()) - start);
    collector_.collect();
    return any;
}

// Only wakes the thread that waits for events.
void HttpServer::await_bells() {
    bells_.async_wait(net::posix::stream_descriptor::wait_read,
                      [this](boost::system::error_code fault) {
                          if (fault) return;
                          collector_.read_bells();
                          await_bells();
                      });
}

// What a request asks for is done on the thread that has it, and others listen meanwhile.
void HttpServer::run(const std::function<void()>& work) {
    ++working_;
    woken_.store(os::AdaptiveSpin::now(), std::memory_order_relaxed);
    {
        const os::ListenerPool::Away away(pool_);
        work();
    }
    if (--working_ > 0 || !closing_) return;
    { MutexLock lock(mutex_); }
    gone_.notify_all();
}

Result<void> HttpServer::start() {
    if (!options_.tls_certificate.empty()) {
        auto tls = open_tls(options_.tls_certificate, options_.tls_key);
        if (!tls) return tls.error();
        MutexLock lock(mutex_);
        tls_ = *std::move(tls);
    }
    for (const auto& address : options_.addresses)
        if (auto ok = listen(address); !ok) return ok;
    for (const auto& listener : listeners_) listener->start();
    schedule_tick();
    if (collector_.bells() >= 0) {
        const int copy = ::fcntl(collector_.bells(), F_DUPFD_CLOEXEC, 0);
        if (copy < 0)
            return Error{ErrorCode::listen_failed,
                         "cannot copy a descriptor: " + os::system_message(errno),
                         {}};
        bells_.assign(copy);
        await_bells();
    }
    pool_.start();
    return {};
}

Result<void> HttpServer::listen(const std::string& text) {
    const auto where = read_address(text);
    if (!where) return where.error();
    if (auto ok = check_public(*where, options_); !ok) return ok;
    auto listener =
        std::make_unique<HttpListener>(io_, [this](TcpSocket socket) { greet(std::move(socket)); });
    if (auto ok = listener->open(*where); !ok) return ok;
    listeners_.push_back(std::move(listener));
    return {};
}

void HttpServer::reread_certificate() {
    if (options_.tls_certificate.empty()) return;
    auto tls = open_tls(options_.tls_certificate, options_.tls_key);
    if (!tls) {
        spdlog::warn("cannot reload the certificate, keeping the old one: {}", tls.error().message);
        return;
    }
    MutexLock lock(mutex_);
    tls_ = *std::move(tls);
}

std::vector<std::string> HttpServer::urls() const {
    const bool has_tls = !options_.tls_certificate.empty();
    std::vector<std::string> urls;
    for (const auto& listener : listeners_)
        urls.push_back((has_tls ? "https://" : "http://") + shown(listener->endpoint()) + "/mcp");
    return urls;
}

void HttpServer::schedule_tick() {
    ticker_.expires_after(kTick);
    ticker_.async_wait([this](boost::system::error_code fault) {
        if (fault) return;
        tick();
        schedule_tick();
    });
}

void HttpServer::tick() {
    const auto now = std::chrono::steady_clock::now();
    const auto all = connections();
    for (const auto& connection : all) connection->tick(now);
    sessions_.end_idle(now);
    shed_shares(all);
    if (held_ > options_.limits.held_bytes)
        shed(connections(), held_, options_.limits.held_bytes, "clients together");
}

void HttpServer::end_of(const Principal& principal) {
    sessions_.end_of(principal);
    server_.listeners().end_of(principal);
}

std::vector<Gauge> HttpServer::gauges() {
    // Before our own lock: who ends sessions comes to connections, and those come here.
    const auto sessions = sessions_.size();
    MutexLock lock(mutex_);
    return {{"toolhost_http_connections", "Open connections.",
             static_cast<double>(connections_.size())},
            {"toolhost_http_connections_refused_total", "Connections refused because of the limit.",
             static_cast<double>(refused_)},
            {"toolhost_http_sessions", "Open sessions.", static_cast<double>(sessions)}};
}

void HttpServer::close() {
    closing_ = true;
    for (const auto& listener : listeners_) listener->close();
    for (const auto& connection : connections()) connection->wind_up();
    sessions_.end_standalone();
}

void HttpServer::cancel_calls() {
    sessions_.end_all();
    // Requests that stand for themselves are cancelled by their connection's end.
    for (const auto& connection : connections()) connection->close();
}

bool HttpServer::await_sent(std::chrono::milliseconds timeout) {
    MutexLock lock(mutex_);
    return gone_.wait_for(lock.native(), timeout,
                          [&]() REQUIRES(mutex_) { return connections_.empty() && working_ == 0; });
}

}  // namespace toolhost::serve
