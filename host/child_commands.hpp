// The hidden commands that the host starts in child processes: probes and workers.
#pragma once

#include <cstdlib>
#include <cstring>

#include "host/discovery/command_version.hpp"
#include "host/discovery/probe_child.hpp"
#include "host/worker/worker_reaper.hpp"

namespace toolhost {

// Does not return if the arguments are those of a child. Must be called first in main(), because
// children must start quickly and have their own way to end.
inline void run_child_command(int argc, char** argv) {
    if (argc == 5 && std::strcmp(argv[1], discovery::kProbeCommand) == 0)
        discovery::probe_child(argv[2], std::atoi(argv[3]) != 0, std::atoi(argv[4]));
    if (argc == 3 && std::strcmp(argv[1], discovery::kVersionCommand) == 0)
        discovery::version_child(argv[2]);
    if (argc == 5 && std::strcmp(argv[1], worker::kWorkerCommand) == 0)
        worker::reap_worker(std::atoi(argv[2]), argv[3], argv[4]);
}

}  // namespace toolhost
