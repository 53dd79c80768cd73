// What the host's program is when the host itself starts it: a probe or a worker.
#pragma once

#include <cstdlib>
#include <cstring>

#include "host/discovery/command_version.hpp"
#include "host/discovery/probe_child.hpp"
#include "host/worker/worker_reaper.hpp"

namespace toolhost {

// Does not return if the arguments are those of a child. To be called before anything else exists:
// children must start quickly and end in their own way.
inline void run_child_command(int argc, char** argv) {
    if (argc == 5 && std::strcmp(argv[1], discovery::kProbeCommand) == 0)
        discovery::probe_child(argv[2], std::atoi(argv[3]) != 0, std::atoi(argv[4]));
    if (argc == 3 && std::strcmp(argv[1], discovery::kVersionCommand) == 0)
        discovery::version_child(argv[2]);
    if (argc == 5 && std::strcmp(argv[1], worker::kWorkerCommand) == 0)
        worker::reap_worker(std::atoi(argv[2]), argv[3], argv[4]);
}

}  // namespace toolhost
