// Help for people: usage and options, wrapped to the terminal's width.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "host/cli/app.hpp"

namespace toolhost::cli {

class HelpFormatter : public CLI::FormatterBase {
public:
    [[nodiscard]] std::string make_help(const CLI::App* app, std::string name,
                                        CLI::AppFormatMode mode) const override;
};

// `toolhost help [COMMAND...]` and `toolhost version`.
Action setup_help(CLI::App& app, const Options& options);
Action setup_version(CLI::App& app, const Options& options);

// "toolhost 1.2.3".
[[nodiscard]] std::string version_line();

// The name of a value and its checks, which CLI11 appends after a colon.
struct ValueName {
    std::string name;
    std::vector<std::string> checks;  // "{cpp,c,rust}", "INT in [1 - 256]"
};
[[nodiscard]] ValueName value_name(CLI::Option& option);

// The description, with the allowed values and the default.
[[nodiscard]] std::string option_text(CLI::Option& option);

// The visible subcommands of a command.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace toolhost::cli
