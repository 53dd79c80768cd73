#include "host/cli/open_host.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {

ConfigChoice config_choice(const Options& options) {
    return {options.config, options.profile};
}

core::HostOptions host_options(const Options& options) {
    core::HostOptions out;
    out.plugins = {options.plugins, options.only_plugins};
    out.config = config_choice(options);
    out.no_cache = options.no_cache;
    out.probe_timeout = std::chrono::milliseconds(options.probe_timeout_ms);
    out.warn = [](const std::string& warning) { spdlog::warn("{}", warning); };
    return out;
}

core::HostOptions lenient_host_options(const Options& options) {
    auto out = host_options(options);
    out.allow_invalid_profile = true;
    return out;
}

void end_if_overdue(core::Host& host, Exit code) {
    if (host.runtimes().in_process().overdue() == 0) return;
    results().flush();
    host.flush_events();
    spdlog::default_logger()->flush();
    ::_exit(static_cast<int>(code));
}

Exit print_error(const Error& error) {
    std::cerr << "toolhost: " << printable(error.message) << '\n';
    return exit_of(error);
}

}  // namespace toolhost::cli
