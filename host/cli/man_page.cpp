#include "host/cli/man_page.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "host/cli/help.hpp"

namespace toolhost::cli {
namespace {

// Escapes text for mdoc: no escapes, no macros, and hyphens that can be copied.
std::string mdoc(const std::string& text) {
    std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

std::vector<CLI::Option*> options_of(const CLI::App& app, bool positional) {
    // CLI11 exposes the checks of mutable options only.
    auto out = const_cast<CLI::App&>(app).get_options();
    std::erase_if(out, [&](CLI::Option* option) {
        return option->get_positional() != positional ||
               (app.get_parent() && option == app.get_help_ptr());
    });
    return out;
}

// "Fl -jobs Ar n", "Fl y , Fl -yes".
std::string flag(CLI::Option& option) {
    std::string out;
    for (const auto& name : option.get_snames()) out += (out.empty() ? "Fl " : " , Fl ") + name;
    for (const auto& name : option.get_lnames()) out += (out.empty() ? "Fl -" : " , Fl -") + name;
    const auto value = value_name(option).name;
    return value.empty() ? out : out + " Ar " + lower(value);
}

std::string argument(const CLI::Option& option) {
    auto out = "Ar " + lower(option.get_name(true));
    if (option.get_expected_max() > 1) out += " ...";
    return (option.get_required() ? "." : ".Op ") + out + '\n';
}

// "profile show"; empty for the program itself.
std::string name_of(const CLI::App& app) {
    if (!app.get_parent()) return "";
    const auto parent = name_of(*app.get_parent());
    return parent.empty() ? app.get_name() : parent + ' ' + app.get_name();
}

void collect(const CLI::App& app, std::vector<const CLI::App*>& out) {
    const auto commands = commands_of(app);
    if (commands.empty()) out.push_back(&app);
    for (const auto* command : commands) collect(*command, out);
}

std::string synopsis(const CLI::App& app) {
    std::vector<const CLI::App*> commands;
    collect(app, commands);
    std::string out;
    for (const auto* command : commands) {
        out += ".Nm\n.Op Ar option ...\n.Cm " + name_of(*command) + '\n';
        for (auto* option : options_of(*command, true)) out += argument(*option);
        for (auto* option : options_of(*command, false))
            out += (option->get_required() ? "." : ".Op ") + flag(*option) + '\n';
    }
    return out;
}

std::string option_list(const CLI::App& app) {
    const auto options = options_of(app, false);
    if (options.empty()) return "";
    std::string out = ".Bl -tag -width Ds\n";
    for (auto* option : options)
        out += ".It " + flag(*option) + '\n' + mdoc(option_text(*option)) + ".\n";
    return out + ".El\n";
}

// The command that a placeholder names, or null.
const CLI::App* find_command(const CLI::App& app, std::istringstream words) {
    const auto* found = &app;
    for (std::string word; found && words >> word;) {
        const auto commands = commands_of(*found);
        const auto it = std::ranges::find(commands, word, &CLI::App::get_name);
        found = it == commands.end() ? nullptr : *it;
    }
    return found;
}

Exit fail(const std::string& message) {
    std::cerr << "toolhost " << kManCommand << ": " << message << '\n';
    return Exit::invalid;
}

}  // namespace

Exit write_man_page(const CLI::App& app, const std::string& page, const std::string& file) {
    constexpr std::string_view kOptions = "@options";
    std::vector<const CLI::App*> missing;
    collect(app, missing);
    missing.push_back(&app);
    std::erase_if(missing, [](const auto* command) { return options_of(*command, false).empty(); });
    std::ifstream in(page);
    std::ostringstream out;
    for (std::string line; std::getline(in, line);) {
        if (line == "@synopsis@") {
            out << synopsis(app);
        } else if (line.starts_with(kOptions) && line.ends_with('@')) {
            const auto words = line.substr(kOptions.size(), line.size() - kOptions.size() - 1);
            const auto* command = find_command(app, std::istringstream(words));
            if (!command) return fail("unknown command in the template: " + line);
            out << option_list(*command);
            std::erase(missing, command);
        } else {
            out << line << '\n';
        }
    }
    if (!missing.empty())
        return fail("the template lacks @options " + name_of(*missing.front()) + '@');
    if (std::ofstream(file) << out.str() << std::flush) return Exit::ok;
    return fail("cannot write " + file);
}

}  // namespace toolhost::cli
