// toolhost serve: agents' way in, over stdio and HTTP.
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <condition_variable>
#include <iostream>
#include <mutex>
#include <optional>

#include "host/call/event_log.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/session.hpp"
#include "host/cli/stop_signals.hpp"
#include "host/cli/tool_page.hpp"
#include "host/registry/offers.hpp"
#include "host/runtime/folder_watch.hpp"
#include "host/serve/stdio.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

struct Arguments {
    bool stdio = false;
    std::vector<std::string> http;
    std::string events;
    double grace_seconds = 10;
    std::size_t calls = 256;
    std::size_t request_bytes = 16u << 20;
};

// What ends the server: a signal, or a client that closed its end.
class Ending {
public:
    void ask() {
        std::lock_guard lock(mutex_);
        asked_ = true;
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return asked_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool asked_ = false;
};

// stdin is for the client's messages alone: a plugin that reads descriptor 0 finds nothing.
runtime::Descriptor keep_stdin() {
    runtime::Descriptor kept(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100));
    const runtime::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
    return kept;
}

// Everything that threads may still be in when the server ends: never destroyed.
struct Serving {
    explicit Serving(serve::ServerOptions options) : server(std::move(options)) {}
    serve::Server server;
    runtime::Descriptor in;
    std::optional<serve::StdioServer> stdio;
    std::thread stdio_waiter;
};

serve::ServerOptions server_options(Session& session, const Arguments& arguments) {
    serve::ServerOptions options;
    options.version = kVersion;
    options.invoker = [&session](const std::string& profile) {
        return session.invoker_of(profile);
    };
    options.page = [](const registry::ToolSpec& spec) { return tool_page(spec); };
    options.calls_at_once = arguments.calls;
    return options;
}

void start_stdio(Serving& serving, const Arguments& arguments, Ending& ending) {
    serving.in = keep_stdin();
    serving.stdio.emplace(serving.server, serving.in.get(), result_descriptor(),
                          arguments.request_bytes);
    serving.stdio->start();
    serving.stdio_waiter = std::thread([&] {
        serving.stdio->wait();
        ending.ask();
    });
    serving.stdio_waiter.detach();
}

// No new calls; running ones may finish, then they are told to stop.
void end_well(Serving& serving, const Arguments& arguments) {
    using std::chrono::milliseconds;
    const milliseconds grace(static_cast<std::int64_t>(arguments.grace_seconds * 1000));
    serving.server.close();
    serving.server.listeners().close();
    if (!serving.server.await_calls(grace)) {
        spdlog::warn("{} calls did not end within {} s: they are cancelled", serving.server.calls(),
                     arguments.grace_seconds);
        if (serving.stdio) serving.stdio->session()->close();
        (void)serving.server.await_calls(milliseconds(2000));
    }
    if (serving.stdio) serving.stdio->flush();
}

void warn_of_clashes(const Session& session) {
    for (const auto& sentence : registry::clashing_offers(*session.catalogue()))
        spdlog::warn("{}", sentence);
}

Exit run_serve(const Arguments& arguments, const Options& options) {
    static Ending ending;
    static std::atomic<bool> again{false};
    const StopSignals signals([] { ending.ask(); }, [] { again = true; });
    SessionOptions wanted;
    if (!arguments.events.empty()) {
        auto log = call::open_event_log(arguments.events);
        if (!log) return print_error(log.error()), Exit::trouble;
        wanted.events = *std::move(log);
    }
    Session session(options, wanted);
    warn_of_clashes(session);
    static auto& serving = *new Serving(server_options(session, arguments));
    const runtime::FolderWatch watch(session.folders().plugins, [&session] {
        if (!session.rescan()) return;
        warn_of_clashes(session);
        serving.server.listeners().tools_changed();
    });
    if (!watch.problem().empty()) spdlog::warn("{}", watch.problem());
    if (arguments.stdio || arguments.http.empty()) start_stdio(serving, arguments, ending);
    ending.wait();
    end_well(serving, arguments);
    session.flush_events();
    session.end_if_overdue(Exit::ok);
    return Exit::ok;
}

}  // namespace

Action setup_serve(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<Arguments>();
    app.add_flag("--stdio", arguments->stdio,
                 "Speak MCP on standard input and output (what it does without --http)");
    app.add_option("--events", arguments->events, "Append the events of all calls to FILE")
        ->type_name("FILE");
    app.add_option("--grace", arguments->grace_seconds,
                   "How long running calls may take to finish when the server ends")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    app.add_option("--max-calls", arguments->calls, "How many calls may run at once")
        ->type_name("N")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app.add_option("--max-request", arguments->request_bytes, "How long a message may be")
        ->type_name("BYTES")
        ->check(CLI::Range(std::size_t{1024}, std::size_t{1} << 30))
        ->capture_default_str();
    return [=, &options] { return run_serve(*arguments, options); };
}

}  // namespace toolhost::cli
