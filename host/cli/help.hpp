// Help for people: usage and options, wrapped at words to the terminal's width.
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

// What a value is called, apart from what it must keep to, which CLI11 puts behind a colon.
struct ValueName {
    std::string name;
    std::vector<std::string> checks;  // "{cpp,c,rust}", "INT in [1 - 256]"
};
[[nodiscard]] ValueName value_name(CLI::Option& option);

// The description, with the values that are allowed and the default.
[[nodiscard]] std::string option_text(CLI::Option& option);

// The visible commands of a command.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace toolhost::cli
