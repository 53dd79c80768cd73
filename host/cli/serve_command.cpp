// toolhost serve: agents' way in, over stdio and HTTP.
#include <fcntl.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <future>
#include <iostream>
#include <optional>

#include "host/base/mutex.hpp"
#include "host/call/event_log.hpp"
#include "host/cli/host_files.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/serve_options.hpp"
#include "host/cli/session.hpp"
#include "host/cli/stop_signals.hpp"
#include "host/cli/tool_page.hpp"
#include "host/discovery/folder_watch.hpp"
#include "host/policy/profile_files.hpp"
#include "host/registry/offers.hpp"
#include "host/serve/http/server.hpp"
#include "host/serve/stdio.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

using std::chrono::milliseconds;

constexpr rlim_t kOpenFiles = 65'536;

// What is left after the grace: for the last answers, and for code that was told to stop.
constexpr milliseconds kFarewell{2000};

// What ends the server: a signal, or a client that closed its end.
class Ending {
public:
    void ask() {
        MutexLock lock(mutex_);
        asked_ = true;
        changed_.notify_all();
    }
    void wait() {
        MutexLock lock(mutex_);
        changed_.wait(lock.native(), [&]() REQUIRES(mutex_) { return asked_; });
    }

private:
    Mutex mutex_;
    std::condition_variable changed_;
    bool asked_ GUARDED_BY(mutex_) = false;
};

// stdin is for the client's messages alone: a plugin that reads descriptor 0 finds nothing.
os::Descriptor keep_stdin() {
    os::Descriptor kept(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100));
    const os::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
    return kept;
}

// So large a message is given back to the system when it is done with. Left alone, glibc comes to
// keep blocks of up to 32 MB in each thread's own pool.
constexpr int kLargeBlock = 1 << 20;

// Everything that threads may still be in when the server ends: never destroyed.
struct Serving {
    explicit Serving(serve::ServerOptions options) : server(std::move(options)) {}
    serve::Server server;
    os::Descriptor in;
    std::optional<serve::StdioServer> stdio;
    std::optional<serve::HttpServer> http;
    std::atomic<bool> is_started{false};  // all that was asked for
    std::thread stdio_waiter;
};

serve::ServerOptions server_options(Session& session, const ServeOptions& wanted) {
    serve::ServerOptions options;
    options.version = kVersion;
    options.invoker = [&session](const std::string& profile) {
        return session.invoker_of(profile);
    };
    options.caller_gone = [&session](const std::string& caller) {
        session.runtimes().isolated().end_caller(caller);
    };
    options.page = [](const registry::ToolSpec& spec) { return tool_page(spec); };
    options.calls_at_once = wanted.calls;
    options.share_percent = wanted.share_percent;
    options.has_several_principals = [authenticator = wanted.http.authenticator] {
        return authenticator && authenticator->has_several_principals();
    };
    options.plain_schemas = wanted.schemas == "plain";
    return options;
}

void start_stdio(Serving& serving, const ServeOptions& wanted, Ending& ending) {
    serving.in = keep_stdin();
    serving.stdio.emplace(serving.server, serving.in.get(), result_descriptor(),
                          wanted.http.limits.body_bytes);
    serving.stdio->start();
    serving.stdio_waiter = std::thread([&] {
        serving.stdio->wait();
        ending.ask();
    });
    serving.stdio_waiter.detach();
}

std::vector<serve::Gauge> gauges_of(const Session& session, const serve::Server& server) {
    const auto& isolated = session.runtimes().isolated();
    auto number = [](auto count) { return static_cast<double>(count); };
    return {
        {"toolhost_calls_running", "Calls in flight.", number(server.calls())},
        {"toolhost_calls_waiting", "Calls waiting for a library.", number(isolated.waiting())},
        {"toolhost_workers", "Running worker processes.", number(isolated.workers())},
        {"toolhost_worker_starts_total", "Worker processes started.", number(isolated.starts())},
        {"toolhost_worker_crashes_total", "Worker processes that crashed.",
         number(isolated.crashes())}};
}

// The token is printed, not stored: only users who can read stderr get it. In one
// piece, so that a reader of the header also finds the token.
void tell_how_to_come_in(const ServeOptions& wanted) {
    if (wanted.no_auth)
        std::cerr << "toolhost: warning: --no-auth: every program on this machine, including "
                     "plugins with the grant network, can call tools here and consent to calls\n";
    if (wanted.token.empty()) return;
    std::cerr << "toolhost: clients must send this header; the token is valid until the server "
                 "exits (use --token-file for permanent tokens, --no-auth for none):\n"
                 "  Authorization: Bearer " +
                     wanted.token + '\n';
}

Result<void> start_http(Serving& serving, const ServeOptions& wanted, Session& session) {
    serving.http.emplace(serving.server, wanted.http,
                         [&session, &serving](std::vector<serve::Gauge> gauges) {
                             for (const auto& gauge : gauges_of(session, serving.server))
                                 gauges.push_back(gauge);
                             return serve::metrics_text({session.invokers(), std::move(gauges)});
                         });
    if (auto ok = serving.http->start(); !ok) return ok;
    for (const auto& url : serving.http->urls())
        std::cerr << "toolhost: serving MCP at " << url << std::endl;
    tell_how_to_come_in(wanted);
    return {};
}

// No new calls; running ones may finish, then they are told to stop. False: something still runs.
bool end_well(Serving& serving, const ServeOptions& wanted) {
    const milliseconds grace(static_cast<std::int64_t>(wanted.grace_seconds * 1000));
    serving.server.close();
    if (serving.http) serving.http->end_streams();
    // A client that does not read must not keep us.
    auto told = std::make_shared<std::promise<void>>();
    std::thread([&serving, told] {
        serving.server.listeners().close();
        told->set_value();
    }).detach();
    (void)told->get_future().wait_for(kFarewell);
    if (!serving.server.await_calls(grace)) {
        spdlog::warn("{} calls did not end within {} s and are cancelled", serving.server.calls(),
                     wanted.grace_seconds);
        if (serving.stdio) serving.stdio->session()->close();
        if (serving.http) serving.http->cancel_calls();
        (void)serving.server.await_calls(kFarewell);
    }
    if (serving.http) serving.http->close();
    const bool flushed = !serving.stdio || serving.stdio->flush_within(kFarewell);
    const bool sent = !serving.http || serving.http->await_sent(kFarewell);
    return serving.server.shut(kFarewell) && sent && flushed;
}

void warn_of_clashes(const Session& session) {
    for (const auto& sentence : registry::clashing_offers(*session.catalogue()))
        spdlog::warn("{}", sentence);
}

// Connections and workers take descriptors; the usual 1024 are for programs that use select().
void raise_open_files() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kOpenFiles);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
        spdlog::warn("cannot raise the limit of open files: {}", std::strerror(errno));
}

// Loads it in advance, so that the first call does not wait.
serve::ProfileCheck profile_check(Session& session) {
    return [&session](const std::string& profile) -> Result<void> {
        if (auto ready = session.invoker_of(profile); !ready) return ready.error();
        return {};
    };
}

// At SIGHUP, when the folders were looked at: profiles must fit the tools there are. True: other
// tools may be called now.
bool reread(Serving& serving, Session& session, serve::Authenticator* authenticator) {
    const bool changed = session.reread_rules();
    if (!serving.http) return changed;
    if (authenticator)
        for (const auto& gone : authenticator->reload(profile_check(session)))
            serving.http->end_of(gone);
    serving.http->reread_certificate();
    return changed;
}

// An invalid address is a usage error; one that cannot be bound is a system error.
Exit listening_fault(const Error& error) {
    const auto usual = print_error(error);
    if (error.exit) return *error.exit;
    return error.code == ErrorCode::invalid_input ? Exit::usage : usual;
}

Exit run_serve(const ServeOptions& given, const Options& options) {
    static Ending ending;
    static Mutex looking;
    static const discovery::FolderWatch* watched GUARDED_BY(looking) = nullptr;
    static std::atomic<bool> hung_up{false};
    const StopSignals signals([] { ending.ask(); },
                              [] {
                                  const MutexLock lock(looking);
                                  hung_up = true;
                                  if (watched) watched->look_again();
                              });
    leave_cout_to_plugins();
    raise_open_files();
    (void)::mallopt(M_MMAP_THRESHOLD, kLargeBlock);  // without it, it is only larger
    ServeOptions wanted = given;
    if (auto ok = open_doors(wanted); !ok) return print_error(ok.error());
    SessionOptions session_options;
    if (!wanted.events.empty()) {
        auto log = call::open_event_log(wanted.events);
        if (!log) return print_error(log.error());
        session_options.events = *std::move(log);
    }
    for (const auto& [file, called] : {std::pair{wanted.events, "its event log"},
                                       {wanted.token_file, "its tokens"},
                                       {wanted.http.tls_certificate, "its certificate"},
                                       {wanted.http.tls_key, "its private key"},
                                       {wanted.oauth.jwks, "its keys"}})
        if (!file.empty() && file.find("://") == std::string::npos)
            session_options.files.push_back(host_file(file, called));
    if (const auto& authenticator = wanted.http.authenticator)
        (void)authenticator->check_profiles([&](const std::string& profile) -> Result<void> {
            if (policy::is_file_name(profile))
                session_options.files.push_back(host_file(profile, "its profiles"));
            return {};
        });
    Session session(options, session_options);
    warn_of_clashes(session);
    if (const auto& authenticator = wanted.http.authenticator)
        if (auto ok = authenticator->check_profiles(profile_check(session)); !ok)
            return print_error(ok.error());
    static auto& serving = *new Serving(server_options(session, wanted));
    const discovery::FolderWatch watch(
        session.folders().plugins, [&session, authenticator = wanted.http.authenticator] {
            bool changed = session.rescan();
            if (changed) warn_of_clashes(session);
            if (serving.is_started && hung_up.exchange(false))
                changed |= reread(serving, session, authenticator.get());
            if (changed) serving.server.listeners().tools_changed();
        });
    if (!watch.problem().empty()) spdlog::warn("{}", watch.problem());
    if (!wanted.http.addresses.empty())
        if (auto ok = start_http(serving, wanted, session); !ok) return listening_fault(ok.error());
    const auto watch_for_hup = [](const discovery::FolderWatch* now) {
        const MutexLock lock(looking);
        watched = now;
        // One that came while things were being started has waited for this.
        if (watched && hung_up) watched->look_again();
    };
    serving.is_started = true;
    watch_for_hup(&watch);
    if (wanted.stdio || wanted.http.addresses.empty()) start_stdio(serving, wanted, ending);
    ending.wait();
    const bool ended = end_well(serving, wanted);
    watch_for_hup(nullptr);
    session.flush_events();
    // A thread that is still in foreign code would be torn apart by an orderly end.
    if (!ended) ::_exit(static_cast<int>(Exit::ok));
    session.end_if_overdue(Exit::ok);
    return Exit::ok;
}

}  // namespace

Action setup_serve(CLI::App& app, const Options& options) {
    auto wanted = std::make_shared<ServeOptions>();
    add_serve_options(app, *wanted);
    return [=, &options] { return run_serve(*wanted, options); };
}

}  // namespace toolhost::cli
