// The tool's input, policy and output, as in its spec.
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
    Field<std::optional<int>, "The timeout of this command, in seconds.", Min<1>, Max<604800>>
        timeout;
    Field<std::optional<std::string>, "The working folder of this command."> work_dir;
};
using Item = std::variant<std::string, OneCommand>;

struct Input {
    Field<std::variant<std::string, std::vector<Item>, OneCommand>,
          "The command, or a list of commands, each a string or {command, timeout, work_dir}. "
          "Words, quotes, pipes |, && || ;, redirections < > >> 2>&1 and wildcards work; "
          "variables, $(...), loops and background jobs only if the policy allows a shell. A cd "
          "applies to the following commands; with a shell, only a separate cd command does.",
          MinLength<1>, MaxLength<20000>, MinItems<1>, MaxItems<30>>
        command;
    Field<bool, "Run the commands of a list in parallel (at most four)."> parallel = false;
    Field<bool, "Continue after a failed command, and report success in any case."> ignore_errors =
        false;
    Field<std::optional<int>,
          "The timeout of each command, in seconds; limited by the policy's max_timeout_s and the "
          "timeout of the call.",
          Min<1>, Max<604800>>
        timeout;
    Field<std::optional<std::string>,
          "The working folder, inside the workspace; relative paths start at the workspace "
          "(default: the workspace itself).">
        work_dir;
    Field<bool, "Accepted for compatibility; no effect."> non_interactive = true;
};

struct Policy {
    Field<std::vector<std::string>,
          "Allowed programs, by their names in PATH; globs. A pattern with a slash matches files: "
          "absolute, or relative to the workspace (./build.sh). Programs that run others (sh, env, "
          "xargs, make, tar) allow everything that the sandbox allows.">
        allowed_commands = {
            "ls",       "cat",     "head",     "tail",      "wc",   "grep", "sort", "uniq",
            "cut",      "tr",      "echo",     "printf",    "pwd",  "date", "du",   "stat",
            "diff",     "cmp",     "comm",     "paste",     "join", "nl",   "tac",  "fold",
            "basename", "dirname", "realpath", "readlink",  "seq",  "test", "[",    "true",
            "false",    "expr",    "md5sum",   "sha256sum", "od",   "find", "sleep"};
    Field<std::vector<std::string>, "Denied programs, which take precedence; globs.">
        denied_commands = toolhost::empty;
    Field<bool,
          "Pass the text to /bin/sh unchanged. The lists above and confine_paths then have no "
          "effect: only the sandbox restricts what runs.">
        allow_shell = false;
    Field<bool,
          "Refuse words that refer to files outside the workspace, after following symbolic links; "
          "search patterns and delimiters do not count. This prevents mistakes; the sandbox "
          "protects against malice.">
        confine_paths = true;
    Field<int, "The maximum timeout of one command, in seconds.", Min<1>, Max<604800>>
        max_timeout_s = 600;
    Field<int, "The maximum total size of the output; the beginning and the end are kept.",
          Min<100>, Max<10000000>>
        max_output_chars = 8000;
    Field<std::vector<std::string>, "Environment variables passed to commands; globs.">
        environment = {"PATH", "LANG", "LC_*", "TZ", "TMPDIR"};
};

struct CommandResult {
    Field<std::string, "The command."> command;
    Field<toolhost::Literal<"success", "error", "skipped">,
          "skipped: not run, or ended early, because another command failed.">
        status;
    Field<int, "The exit code; 124 after a timeout, 128 or more after a signal."> exit_code = -1;
    Field<std::string, "The standard output."> output;
    Field<std::string, "The standard error, and why the command could not be run."> error;
    Field<std::int64_t, "The duration."> duration_ms = 0;
    Field<bool, "Whether output or error was truncated."> truncated = false;
};

struct Output {
    Field<std::vector<CommandResult>, "One result per command, in order."> results;
    Field<int, "The number of commands that succeeded."> successful = 0;
    Field<int, "The number of commands that failed."> failed = 0;
};

// Runs one call, from its commands to its answer.
[[nodiscard]] toolhost::Reply run_commands(const Input& in, toolhost::Context& context);

}  // namespace shell
