// The spec of the tool `shell`. call.cpp and command/ contain the logic.
#include "command/refusal.hpp"
#include "types.hpp"

namespace shell {
namespace {

toolhost::Tool tool() {
    return toolhost::tool<run_commands>(
               "shell",
               "Runs programs in the workspace and returns their output. Use it for the programs "
               "that the profile allows: listing, counting, comparing, searching and others that "
               "the operator has added, such as a build. Not for reading or writing single files, "
               "HTTP or git, which have separate tools, and not for servers or programs that wait "
               "for input: all processes that a command starts end with it. There is no shell "
               "unless the policy allows one.")
        .title("Shell")
        .version("1.0.0")
        .category("system")
        .needs({.read = true, .write = true, .exec = true, .optional = {"write"}})
        .stateful()  // commands may leave files in the temporary folder
        .requires_consent()
        .policy<Policy>()
        .set("denialReasons", toolhost::denial_reasons(kReasons))
        .output<Output>()
        .hints({.read_only = false, .destructive = true, .idempotent = false, .open_world = true})
        .example({{"command", "ls -l"}}, "One command.")
        .example({{"command", "grep -rn TODO . | sort | head -n 20"}}, "A pipeline.")
        .example({{"command", {"echo one", "false", "echo two"}}, {"ignore_errors", true}},
                 "A list that continues after a failure.")
        .example({{"command", {"wc -l *.md", "du -sh ."}}, {"parallel", true}, {"timeout", 5}},
                 "Two in parallel, five seconds each.");
}

}  // namespace
}  // namespace shell

TOOLHOST_PLUGIN(toolhost::family("shell"), toolhost::concurrent, shell::tool())
