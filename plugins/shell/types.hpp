// The tool's input, policy and output, as its spec describes them.
#pragma once

#include <optional>
#include <string>
#include <toolhost/plugin.hpp>
#include <variant>
#include <vector>

namespace shell {

using toolhost::Field;
using toolhost::Max;
using toolhost::MaxItems;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinItems;
using toolhost::MinLength;

using CommandText = Field<std::string, "The command.", MinLength<1>, MaxLength<20000>>;

struct OneCommand {
    CommandText command;
    Field<std::optional<int>, "Seconds for this command.", Min<1>, Max<604800>> timeout;
    Field<std::optional<std::string>, "Folder for this command."> work_dir;
};
using Item = std::variant<std::string, OneCommand>;

struct Input {
    Field<
        std::variant<std::string, std::vector<Item>, OneCommand>,
        "What to run: one command, or a list of commands, each a text or {command, timeout, "
        "work_dir}. Words, quotes, pipes |, && || ;, redirections < > >> 2>&1 and wildcards work; "
        "variables, $(...), loops and background jobs only where the policy allows a shell. A cd "
        "holds for the commands after it; where there is a shell, one that stands alone.",
        MinLength<1>, MaxLength<20000>, MinItems<1>, MaxItems<30>>
        command;
    Field<bool, "Run the commands of a list at the same time (four at most)."> parallel = false;
    Field<bool, "Go on after a command that failed, and succeed whatever they answer.">
        ignore_errors = false;
    Field<std::optional<int>,
          "Seconds that each command may take. The policy's max_timeout_s and the time that the "
          "profile leaves the call bound it.",
          Min<1>, Max<604800>>
        timeout;
    Field<
        std::optional<std::string>,
        "Folder to run in, inside the workspace; relative paths are meant from the workspace. The "
        "workspace itself by default.">
        work_dir;
    Field<bool, "Accepted for compatibility: nobody is asked anything while a command runs.">
        non_interactive = true;
};

struct Policy {
    Field<
        std::vector<std::string>,
        "Programs that may be run, by name as found along PATH; globs. A pattern with a slash "
        "means files: absolute, or from the workspace (./build.sh). Programs that run others (sh, "
        "env, xargs, make, tar) open everything that the sandbox leaves open.">
        allowed_commands = {
            "ls",       "cat",     "head",     "tail",      "wc",   "grep", "sort", "uniq",
            "cut",      "tr",      "echo",     "printf",    "pwd",  "date", "du",   "stat",
            "diff",     "cmp",     "comm",     "paste",     "join", "nl",   "tac",  "fold",
            "basename", "dirname", "realpath", "readlink",  "seq",  "test", "[",    "true",
            "false",    "expr",    "md5sum",   "sha256sum", "od",   "find", "sleep"};
    Field<std::vector<std::string>, "Programs that may not be run, whatever is allowed; globs.">
        denied_commands = toolhost::empty;
    Field<bool,
          "Hand the text to /bin/sh as it is. The lists above and confine_paths then mean nothing: "
          "only the sandbox bounds what runs.">
        allow_shell = false;
    Field<
        bool,
        "Refuse words that name files outside the workspace, symbolic links followed; what grep "
        "looks for and delimiters are no files. It keeps mistakes in; against malice there is the "
        "sandbox.">
        confine_paths = true;
    Field<int, "The most seconds for one command.", Min<1>, Max<604800>> max_timeout_s = 600;
    Field<int, "How much of what the commands print is kept, all together; beginning and end.",
          Min<100>, Max<10000000>>
        max_output_chars = 8000;
    Field<std::vector<std::string>, "Variables that commands get of the tool's environment; globs.">
        environment = {"PATH", "LANG", "LC_*", "TZ", "TMPDIR"};
};

struct CommandResult {
    Field<std::string, "The command."> command;
    Field<toolhost::Literal<"success", "error", "skipped">,
          "skipped: not run, or ended early, because another failed.">
        status;
    Field<int, "Its exit code; 124 if its time was over, 128 and more if a signal ended it.">
        exit_code = -1;
    Field<std::string, "What it wrote to stdout."> output;
    Field<std::string, "What it wrote to stderr, and why it could not be run."> error;
    Field<std::int64_t, "How long it took."> duration_ms = 0;
    Field<bool, "Whether something was left out of output or error."> truncated = false;
};

struct Output {
    Field<std::vector<CommandResult>, "One a command, in their order."> results;
    Field<int, "How many succeeded."> successful = 0;
    Field<int, "How many did not."> failed = 0;
};

// One call, from its commands to its answer.
[[nodiscard]] toolhost::Reply run_commands(const Input& in, toolhost::Context& context);

}  // namespace shell
