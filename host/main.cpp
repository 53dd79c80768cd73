#include <cstdlib>
#include <cstring>

#include "host/cli/app.hpp"
#include "host/discovery/probe_child.hpp"

int main(int argc, char** argv) {
    // Before anything else exists: the probe must be quick to start and has its own way to end.
    if (argc == 4 && std::strcmp(argv[1], toolhost::discovery::kProbeCommand) == 0)
        toolhost::discovery::probe_child(argv[2], std::atoi(argv[3]));
    return toolhost::cli::run(argc, argv);
}
