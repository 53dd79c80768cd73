#include "host/cli/help.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "host/base/suggest.hpp"
#include "host/cli/terminal.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

constexpr std::size_t kWidestName = 28;  // the text of a longer name starts on the next line

struct Entry {
    std::string name, text;
};

void append_entries(std::string& out, const char* title, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    std::size_t names = 0;
    for (const auto& entry : entries)
        if (columns_of(entry.name) <= kWidestName) names = std::max(names, columns_of(entry.name));
    const std::size_t indent = 2 + names + 2;
    out += std::string("\n") + title + ":\n";
    for (const auto& entry : entries) {
        out += "  " + padded(entry.name, names);
        out += columns_of(entry.name) <= names ? "  " : '\n' + std::string(indent, ' ');
        out += wrapped(entry.text, indent, width()) + '\n';
    }
}

// "{cpp,c,rust}" as "cpp, c, rust", "INT in [1 - 256]" as "1 to 256".
std::string readable_check(std::string check) {
    if (check.starts_with('{') && check.ends_with('}')) {
        check = check.substr(1, check.size() - 2);
        for (auto at = check.find(','); at != std::string::npos; at = check.find(',', at + 2))
            check.replace(at, 1, ", ");
        return check;
    }
    const auto open = check.find(" in ["), dash = check.find(" - ", open);
    if (open == std::string::npos || dash == std::string::npos || !check.ends_with(']'))
        return check;
    return check.substr(open + 5, dash - open - 5) + " to " +
           check.substr(dash + 3, check.size() - dash - 4);
}

std::string positional_usage(const CLI::Option& option) {
    std::string name = option.get_name(true);
    if (option.get_expected_max() > 1) name += "...";
    return option.get_required() ? name : '[' + name + ']';
}

Entry option_entry(CLI::Option& option) {
    if (option.get_positional()) return {option.get_name(true), option.get_description()};
    const auto value = value_name(option).name;
    return {option.get_name(false, true) + (value.empty() ? "" : ' ' + value), option_text(option)};
}

std::string usage_line(const CLI::App& app, const std::string& name) {
    std::string out = name + " [OPTIONS]";
    for (const auto* option : app.get_options())
        if (option->get_positional()) out += ' ' + positional_usage(*option);
    if (!commands_of(app).empty()) out += " [COMMAND]";
    return "Usage: " + wrapped(out, 7, width());
}

Exit unknown_command(const CLI::App& parent, const std::string& word) {
    std::vector<std::string> names;
    for (const auto* command : commands_of(parent)) names.push_back(command->get_name());
    std::cerr << "toolhost: ";
    if (parent.get_parent()) std::cerr << parent.get_name() << ": ";
    std::cerr << "unknown command '" << printable(word) << "'" << did_you_mean(word, names) << '\n';
    return Exit::usage;
}

Exit print_help(CLI::App* command, const std::vector<std::string>& words) {
    std::string name = command->get_name();
    for (const auto& word : words) {
        const auto next =
            command->get_subcommands([&](CLI::App* one) { return one->check_name(word); });
        if (next.empty()) return unknown_command(*command, word);
        command = next.front();
        name += ' ' + command->get_name();
    }
    std::cout << HelpFormatter().make_help(command, name, CLI::AppFormatMode::Normal);
    return Exit::ok;
}

}  // namespace

ValueName value_name(CLI::Option& option) {
    ValueName out;
    if (option.get_type_size() == 0) return out;
    std::string behind;
    try {
        for (int i = 0;; ++i) {
            const auto check = option.get_validator(i)->get_description();
            if (check.empty()) continue;
            out.checks.push_back(check);
            behind += ':' + check;
        }
    } catch (const CLI::OptionNotFound&) {
        // It was the last one.
    }
    out.name = option.get_type_name();
    if (out.name.ends_with(behind)) out.name.resize(out.name.size() - behind.size());
    return out;
}

std::string option_text(CLI::Option& option) {
    auto text = option.get_description();
    for (const auto& check : value_name(option).checks) text += " (" + readable_check(check) + ')';
    if (const auto preset = option.get_default_str(); !preset.empty())
        text += " (default: " + preset + ')';
    if (option.get_required()) text += " (required)";
    return text;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) {
        return !command->get_name().empty() && !command->get_group().empty();
    });
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
    std::string out =
        wrapped(app->get_description(), 0, width()) + "\n\n" + usage_line(*app, name) + '\n';
    std::vector<Entry> positionals, options, commands;
    // CLI11 exposes the checks of mutable options only.
    for (auto* option : const_cast<CLI::App*>(app)->get_options())
        (option->get_positional() ? positionals : options).push_back(option_entry(*option));
    for (const auto* command : commands_of(*app))
        commands.push_back({command->get_name(), command->get_description()});
    append_entries(out, "Arguments", positionals);
    append_entries(out, "Options", options);
    append_entries(out, "Commands", commands);
    out += app->get_parent() ? "\nGlobal options: toolhost help\n"
                             : "\nHelp for one command: toolhost help COMMAND\n";
    return out;
}

Action setup_help(CLI::App& app, const Options&) {
    auto words = std::make_shared<std::vector<std::string>>();
    app.add_option("COMMAND", *words, "A command, such as call or profile show")
        ->type_name("COMMAND")
        ->expected(0, -1);
    return [words, root = app.get_parent()] { return print_help(root, *words); };
}

Action setup_version(CLI::App&, const Options& options) {
    return [&options] {
        if (options.json)
            std::cout << "{\"version\": \"" << kVersion << "\"}\n";
        else
            std::cout << version_line() << '\n';
        return Exit::ok;
    };
}

std::string version_line() {
    return std::string("toolhost ") + kVersion;
}

}  // namespace toolhost::cli
