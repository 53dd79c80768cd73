// toolhost serve: serves agents over stdio and HTTP.
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "host/call/event_log.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/serve_options.hpp"
#include "host/cli/server_control.hpp"
#include "host/cli/serving.hpp"
#include "host/cli/stop_signals.hpp"
#include "host/host_files.hpp"
#include "host/registry/offers.hpp"

namespace toolhost::cli {
namespace {

constexpr rlim_t kOpenFiles = 65'536;

// Larger blocks are returned to the system when freed. By default glibc learns to keep blocks of up
// to 32 MB in each thread's arena.
constexpr int kLargeBlock = 1 << 20;

void warn_of_clashes(const core::Host& host) {
    for (const auto& sentence : registry::clashing_offers(*host.catalogue()))
        spdlog::warn("{}", sentence);
}

// Connections and workers need descriptors; the default of 1024 exists for programs that use
// select().
void raise_open_files() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kOpenFiles);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
        spdlog::warn("cannot raise the limit of open files: {}", std::strerror(errno));
}

// An invalid address is a usage error; a failed bind is a system error.
Exit listening_fault(const Error& error) {
    const auto usual = print_error(error);
    return error.code == ErrorCode::invalid_input ? Exit::usage : usual;
}

// Files that no tool may write, in addition to those of every host.
std::vector<call::HostFile> own_files(const ServeOptions& wanted) {
    std::vector<call::HostFile> files;
    for (const auto& [file, called] : {std::pair{wanted.events, "its event log"},
                                       {wanted.token_file, "its tokens"},
                                       {wanted.http.tls_certificate, "its certificate"},
                                       {wanted.http.tls_key, "its private key"},
                                       {wanted.oauth.jwks, "its keys"}})
        if (!file.empty() && file.find("://") == std::string::npos)
            files.push_back(host_file(file, called));
    return files;
}

Result<std::unique_ptr<core::Host>> open_host(const ServeOptions& wanted, const Options& options) {
    auto wants = host_options(options);
    if (!wanted.events.empty()) {
        auto log = call::open_event_log(wanted.events);
        if (!log) return log.error();
        wants.events = *std::move(log);
    }
    wants.files = own_files(wanted);
    auto host = core::Host::open(std::move(wants));
    if (!host) return host;
    warn_of_clashes(**host);
    if (const auto& authenticator = wanted.http.authenticator)
        if (auto ok = authenticator->check_profiles(profile_check(**host)); !ok) return ok.error();
    return host;
}

Exit run_serve(const ServeOptions& given, const Options& options) {
    const auto control = std::make_shared<ServerControl>();
    const StopSignals signals([control] { control->stop(); },
                              [control] { control->request_reload(); });
    redirect_cout_to_stderr();
    raise_open_files();
    (void)::mallopt(M_MMAP_THRESHOLD, kLargeBlock);  // on failure the threshold is only larger
    ServeOptions wanted = given;
    if (auto ok = prepare_access(wanted); !ok) return print_error(ok.error());
    auto opened = open_host(wanted, options);
    if (!opened) return print_error(opened.error());
    core::Host& host = **opened;
    auto serving = std::make_unique<Serving>(host, wanted);
    host.watch([&](bool changed) {
        if (changed) warn_of_clashes(host);
        if (control->take_reload()) changed |= serving->reload();
        if (changed) serving->listeners().tools_changed();
    });
    if (!wanted.http.addresses.empty())
        if (auto ok = serving->start_http(); !ok) return listening_fault(ok.error());
    control->on_reload([&host] { host.scan_now(); });
    if (wanted.stdio || wanted.http.addresses.empty()) serving->start_stdio(control);
    control->wait_for_stop();
    const bool ended = serving->shut_down();
    control->on_reload(nullptr);
    host.flush_events();
    // A thread is still in foreign code: an orderly exit would destroy what it uses.
    if (!ended) ::_exit(static_cast<int>(Exit::ok));
    end_if_overdue(host, Exit::ok);
    if (serving->awaits_client()) {  // its thread uses it until the process ends
        host.stop_watching();
        (void)serving.release();
    }
    return Exit::ok;
}

}  // namespace

Action setup_serve(CLI::App& app, const Options& options) {
    auto wanted = std::make_shared<ServeOptions>();
    add_serve_options(app, *wanted);
    return [=, &options] { return run_serve(*wanted, options); };
}

}  // namespace toolhost::cli
