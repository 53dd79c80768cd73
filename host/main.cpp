#include <cstdlib>
#include <cstring>

#include "host/cli/app.hpp"
#include "host/discovery/command_version.hpp"
#include "host/discovery/probe_child.hpp"
#include "host/worker/worker_reaper.hpp"

int main(int argc, char** argv) {
    // Before anything else exists: these must be quick to start and have their own way to end.
    if (argc == 5 && std::strcmp(argv[1], toolhost::discovery::kProbeCommand) == 0)
        toolhost::discovery::probe_child(argv[2], std::atoi(argv[3]) != 0, std::atoi(argv[4]));
    if (argc == 3 && std::strcmp(argv[1], toolhost::discovery::kVersionCommand) == 0)
        toolhost::discovery::version_child(argv[2]);
    if (argc == 5 && std::strcmp(argv[1], toolhost::worker::kWorkerCommand) == 0)
        toolhost::worker::reap_worker(std::atoi(argv[2]), argv[3], argv[4]);
    return toolhost::cli::run(argc, argv);
}
