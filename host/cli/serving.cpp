#include "host/cli/serving.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <future>
#include <iostream>

#include "host/cli/result_stream.hpp"
#include "host/cli/tool_page.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

using std::chrono::milliseconds;

// The time after the grace period: for the last responses, and for cancelled code.
constexpr milliseconds kShutdownTimeout{2000};

// stdin is reserved for the client's messages: plugins see an empty descriptor 0.
os::Descriptor keep_stdin() {
    os::Descriptor kept(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100));
    const os::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
    return kept;
}

serve::ServerOptions server_options(core::Host& host, const ServeOptions& wanted) {
    serve::ServerOptions options;
    options.version = kVersion;
    options.invoker = [&host](const std::string& profile) { return host.invoker_of(profile); };
    options.caller_gone = [&host](const std::string& caller) {
        host.runtimes().isolated().end_caller(caller);
    };
    options.posted = &host.runtimes().isolated().posted();
    options.page = [](const registry::ToolSpec& spec) { return tool_page(spec); };
    options.calls_at_once = wanted.calls;
    options.share_percent = wanted.share_percent;
    options.has_several_principals = [authenticator = wanted.http.authenticator] {
        return authenticator && authenticator->has_several_principals();
    };
    options.plain_schemas = wanted.schemas == "plain";
    return options;
}

// The token is printed, not stored, so only users who can read stderr get it. It is one write, so
// that readers of the header also get the token.
void print_addresses(const ServeOptions& wanted) {
    if (wanted.no_auth)
        std::cerr << "toolhost: warning: --no-auth: every program on this machine, including "
                     "plugins with the grant network, can call tools here and consent to calls\n";
    if (wanted.token.empty()) return;
    std::cerr << "toolhost: clients must send this header; the token is valid until the server "
                 "exits (use --token-file for permanent tokens, --no-auth for none):\n"
                 "  Authorization: Bearer " +
                     wanted.token + '\n';
}

}  // namespace

Serving::Serving(core::Host& host, const ServeOptions& wanted)
    : host_(host), wanted_(wanted), server_(server_options(host, wanted)) {}

Serving::~Serving() {
    host_.stop_watching();
    if (stdio_waiter_.joinable()) stdio_waiter_.join();
}

void Serving::start_stdio(const std::shared_ptr<ServerControl>& control) {
    in_ = keep_stdin();
    stdio_.emplace(server_, in_.get(), result_descriptor(), wanted_.http.limits.body_bytes);
    stdio_->start();
    stdio_waiter_ = std::thread([this, control] {
        stdio_->wait();
        client_closed_ = true;
        control->stop();
    });
}

Result<void> Serving::start_http() {
    http_.emplace(server_, wanted_.http, [this](std::vector<serve::Gauge> more) {
        for (const auto& gauge : gauges()) more.push_back(gauge);
        return serve::metrics_text({host_.invokers(), std::move(more)});
    });
    if (auto ok = http_->start(); !ok) return ok;
    for (const auto& url : http_->urls())
        std::cerr << "toolhost: serving MCP at " << url << std::endl;
    print_addresses(wanted_);
    return {};
}

std::vector<serve::Gauge> Serving::gauges() const {
    const auto& isolated = std::as_const(host_).runtimes().isolated();
    auto number = [](auto count) { return static_cast<double>(count); };
    return {
        {"toolhost_calls_running", "Calls in flight.", number(server_.calls())},
        {"toolhost_calls_waiting", "Calls waiting for a library.", number(isolated.waiting())},
        {"toolhost_workers", "Running worker processes.", number(isolated.workers())},
        {"toolhost_worker_starts_total", "Worker processes started.", number(isolated.starts())},
        {"toolhost_worker_crashes_total", "Worker processes that crashed.",
         number(isolated.crashes())}};
}

bool Serving::reload() {
    const bool changed = host_.reload_rules();
    if (!http_) return changed;
    const auto before = host_.catalogue();
    if (const auto& authenticator = wanted_.http.authenticator)
        for (const auto& gone : authenticator->reload(profile_check(host_))) http_->end_of(gone);
    http_->reread_certificate();
    return changed || host_.catalogue() != before;  // a new token may use another profile
}

bool Serving::shut_down() {
    const milliseconds grace(static_cast<std::int64_t>(wanted_.grace_seconds * 1000));
    server_.close();
    if (http_) http_->end_streams();
    // A client that does not read must not delay the shutdown.
    auto closed = std::make_shared<std::promise<void>>();
    std::thread([this, closed] {
        server_.listeners().close();
        closed->set_value();
    }).detach();
    const bool listeners_closed =
        closed->get_future().wait_for(kShutdownTimeout) == std::future_status::ready;
    if (!server_.await_calls(grace)) {
        spdlog::warn("{} calls did not end within {} s and are cancelled", server_.calls(),
                     wanted_.grace_seconds);
        if (stdio_) stdio_->session()->close();
        if (http_) http_->cancel_calls();
        (void)server_.await_calls(kShutdownTimeout);
    }
    if (http_) http_->close();
    const bool flushed = !stdio_ || stdio_->flush_within(kShutdownTimeout);
    const bool sent = !http_ || http_->await_sent(kShutdownTimeout);
    return server_.shut(kShutdownTimeout) && sent && flushed && listeners_closed;
}

serve::ProfileCheck profile_check(core::Host& host) {
    return [&host](const std::string& profile) -> Result<void> {
        if (auto ready = host.invoker_of(profile); !ready) return ready.error();
        return {};
    };
}

}  // namespace toolhost::cli
