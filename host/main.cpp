#include "host/child_commands.hpp"
#include "host/cli/app.hpp"

int main(int argc, char** argv) {
    toolhost::run_child_command(argc, argv);
    return toolhost::cli::run(argc, argv);
}
