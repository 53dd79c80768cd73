// A host for a command, from the options that every command takes.
#pragma once

#include "host/cli/app.hpp"
#include "host/host.hpp"

namespace toolhost::cli {

[[nodiscard]] ConfigChoice config_choice(const Options& options);
// Its warnings go to the log.
[[nodiscard]] core::HostOptions host_options(const Options& options);
// For commands that examine plugins and change settings: an invalid profile does not stop them.
[[nodiscard]] core::HostOptions forgiving_host_options(const Options& options);

// Flushes everything and ends the process if an abandoned plugin call still runs: an orderly exit
// would destroy what it uses.
void end_if_overdue(core::Host& host, Exit code);

// An error on stderr, and the exit code that goes with it.
Exit print_error(const Error& error);

}  // namespace toolhost::cli
