// The program of probes and workers without commands, so that the thread sanitizer's stage does not
// compile them.
#include "host/child_commands.hpp"

int main(int argc, char** argv) {
    toolhost::run_child_command(argc, argv);
    return 2;
}
