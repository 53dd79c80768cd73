// Opens a host for a command, with the options that every command accepts.
#pragma once

#include "host/cli/app.hpp"
#include "host/host.hpp"

namespace toolhost::cli {

[[nodiscard]] ConfigChoice config_choice(const Options& options);
// Its warnings go to the log.
[[nodiscard]] core::HostOptions host_options(const Options& options);
// For commands that examine plugins and change settings: they run even if the profile is invalid.
[[nodiscard]] core::HostOptions lenient_host_options(const Options& options);

// If an abandoned plugin call is still running, flushes everything and ends the process, because an
// orderly exit would destroy what the call uses.
void end_if_overdue(core::Host& host, Exit code);

// Prints an error to stderr and returns its exit code.
Exit print_error(const Error& error);

}  // namespace toolhost::cli
