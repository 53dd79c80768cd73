// The command line as a whole: options every command takes, and the table of commands.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

// What every command takes.
struct Options {
    std::vector<std::string> plugins;       // --plugins
    std::vector<std::string> only_plugins;  // --only-plugins
    bool json = false;
    std::string log_level = "warn";
    bool no_cache = false;
    int probe_timeout_ms = 5000;
    std::string profile;  // NAME or FILE; empty: TOOLHOST_PROFILE, the config file, or default
    std::string config;   // empty: the usual place
    std::string invoked_as = "toolhost";  // what to type, for commands that are suggested
    std::vector<std::string> typed;       // the words behind it, as they were given
};

// A command adds its own arguments to `app` and gives back what to do after parsing.
using Action = std::function<Exit()>;
struct Command {
    const char* name;
    const char* description;
    Action (*setup)(CLI::App& app, const Options& options);
};

Action setup_list(CLI::App& app, const Options& options);
Action setup_show(CLI::App& app, const Options& options);
Action setup_call(CLI::App& app, const Options& options);
Action setup_doctor(CLI::App& app, const Options& options);
Action setup_new(CLI::App& app, const Options& options);
Action setup_grant(CLI::App& app, const Options& options);
Action setup_retry(CLI::App& app, const Options& options);
Action setup_serve(CLI::App& app, const Options& options);
Action setup_test(CLI::App& app, const Options& options);
Action setup_token(CLI::App& app, const Options& options);
Action setup_profile(CLI::App& app, const Options& options);

// welcome.cpp: without a command, a newcomer's first look.
Exit welcome(const Options& options);

// The whole command as it was typed, quoted for a shell.
[[nodiscard]] std::string typed_again(const Options& options);
// A command to suggest, with the options that decide which plugins and which profile it sees.
[[nodiscard]] std::string suggested(const Options& options, std::string_view command);

// CLI11 takes "[a,b]" apart wherever several words may stand. A mark behind it keeps it whole until
// it has been parsed; this gives the word as it was typed.
[[nodiscard]] std::string as_typed(std::string word);

// Parses, runs, and answers with the exit code.
[[nodiscard]] int run(int argc, char** argv);

}  // namespace toolhost::cli
