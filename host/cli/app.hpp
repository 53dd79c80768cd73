// The command line: global options, and the table of commands.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

// Options of every command.
struct Options {
    std::vector<std::string> plugins;       // --plugins
    std::vector<std::string> only_plugins;  // --only-plugins
    bool json = false;
    std::string log_level = "warn";
    bool no_cache = false;
    int probe_timeout_ms = 5000;
    std::string profile;  // NAME or FILE; empty: TOOLHOST_PROFILE, the config file, or default
    std::string config;   // empty: the usual place
    std::string invoked_as = "toolhost";  // program name for suggested commands
    std::vector<std::string> typed;       // the words after it, as typed
};

// A setup function adds a command's arguments to `app` and returns what runs after parsing.
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

// The whole command as typed, quoted for a shell.
[[nodiscard]] std::string typed_again(const Options& options);
// A suggested command with the options that determine its plugins and profile.
[[nodiscard]] std::string suggested(const Options& options, std::string_view command);

// CLI11 splits "[a,b]" where several words are accepted. A mark appended to it prevents that until
// it has been parsed; this returns the word without it.
[[nodiscard]] std::string as_typed(std::string word);

// Parses, runs, and returns the exit code.
[[nodiscard]] int run(int argc, char** argv);

}  // namespace toolhost::cli
