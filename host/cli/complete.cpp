#include "host/cli/complete.hpp"

#include <iostream>
#include <map>
#include <optional>

#include "host/cli/app.hpp"
#include "host/cli/help.hpp"
#include "host/policy/grants.hpp"

namespace toolhost::cli {
namespace {

// What precedes the word to complete.
struct Line {
    const CLI::App* app = nullptr;     // the innermost command
    CLI::Option* option = nullptr;     // the option whose value is completed; null for none
    std::size_t arguments = 0;         // number of arguments of the command
    std::vector<std::string> folders;  // --plugins and --only-plugins, to find tools
    std::string last;                  // the word to complete, without "--option="
};

CLI::Option* find_option(const CLI::App* app, const std::string& name) {
    for (; app; app = app->get_parent())
        if (auto* found = const_cast<CLI::App*>(app)->get_option_no_throw(name)) return found;
    return nullptr;
}

void note_folder(Line& line, const std::string& option, const std::string& value) {
    if (option != "--plugins" && option != "--only-plugins") return;
    line.folders.push_back(option);
    line.folders.push_back(value);
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->check_name(name)) return command;
    return nullptr;
}

Line read_line(const CLI::App& app, const std::vector<std::string>& words) {
    Line line{&app, nullptr, 0, {}, words.back()};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& word = words[i];
        const bool is_last = i + 1 == words.size();
        if (word.starts_with('-') && word.size() > 1) {
            const auto equals = word.find('=');
            auto* option = find_option(line.app, word.substr(0, equals));
            const bool takes_value = option && option->get_items_expected_max() > 0;
            if (is_last) {
                if (!takes_value || equals == std::string::npos) break;
                line.option = option;
                line.last = word.substr(equals + 1);
            } else if (takes_value && equals != std::string::npos) {
                note_folder(line, word.substr(0, equals), word.substr(equals + 1));
            } else if (takes_value) {
                if (i + 2 == words.size()) {
                    line.option = option;
                    break;
                }
                note_folder(line, word, words[++i]);
            }
        } else if (!is_last) {
            const auto* command = find_command(*line.app, word);
            if (command && line.arguments == 0)
                line.app = command;
            else
                ++line.arguments;
        }
    }
    return line;
}

Exit offer(const std::vector<std::pair<std::string, std::string>>& candidates) {
    std::cout << "words\n";
    for (const auto& [word, description] : candidates)
        std::cout << word << (description.empty() ? "" : '\t' + description) << '\n';
    return Exit::ok;
}

Exit offer_words(std::string_view list) {
    std::vector<std::pair<std::string, std::string>> words;
    for (std::size_t at = 0; at < list.size();) {
        const auto end = std::min(list.find(',', at), list.size());
        words.emplace_back(list.substr(at, end - at), "");
        at = end + 1;
    }
    return offer(words);
}

// Completes from a list that the program prints, one name per line.
Exit offer_list(const Line& line, std::vector<std::string> command) {
    std::cout << "words\n" << std::flush;
    std::vector<std::string> words{"toolhost", "--log-level", "off"};
    words.insert(words.end(), line.folders.begin(), line.folders.end());
    words.insert(words.end(), command.begin(), command.end());
    words.emplace_back("--names");
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return static_cast<Exit>(run(static_cast<int>(words.size()), arguments.data()));
}

Exit offer_commands(const CLI::App& app) {
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto* command : commands_of(app))
        names.emplace_back(command->get_name(), command->get_description());
    return offer(names);
}

Exit offer_options(const CLI::App* app) {
    std::vector<std::pair<std::string, std::string>> names;
    for (; app; app = app->get_parent())
        for (const auto* option : app->get_options())
            if (!option->get_lnames().empty())
                names.emplace_back("--" + option->get_lnames()[0], option->get_description());
    return offer(names);
}

Exit offer_grants(const std::string& typed) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const auto& row : policy::grant_table()) {
        if (row.is_folder && typed.starts_with(std::string(row.name) + '=')) {
            std::cout << "folders\n";
            return Exit::ok;
        }
        if (row.kind != policy::GrantKind::none) words.emplace_back(row.name, "");
    }
    return offer(words);
}

// Completes a value by the name of its type in the option or argument.
Exit offer_values(const Line& line, CLI::Option& option) {
    const auto [type, checks] = value_name(option);
    for (const auto& check : checks)
        if (check.starts_with('{') && check.ends_with('}'))
            return offer_words(std::string_view(check).substr(1, check.size() - 2));
    if (type == "TOOL") return offer_list(line, {"list"});
    if (type == "COMMAND") return offer_commands(*line.app->get_parent());
    if (type.starts_with("PROFILE") || type == "NAME|FILE")
        return offer_list(line, {"profile", "list"});
    if (type == "GRANT") return offer_grants(line.last);
    if (type == "DIR") {
        std::cout << "folders\n";
    } else if (type == "INPUT") {
        std::cout << (line.last.starts_with('@') ? "files@\n" : "words\n");
    } else {
        std::cout << (type.find("FILE") != std::string::npos ? "files\n" : "words\n");
    }
    return Exit::ok;
}

// The argument at the position of the last word, or null.
CLI::Option* argument_of(const Line& line) {
    std::size_t index = 0;
    for (auto* option : const_cast<CLI::App*>(line.app)->get_options()) {
        if (!option->get_positional()) continue;
        if (index++ == line.arguments || option->get_expected_max() > 1) return option;
    }
    return nullptr;
}

}  // namespace

Exit complete(const CLI::App& app, std::vector<std::string> words) {
    if (words.empty()) words.emplace_back();
    const auto line = read_line(app, words);
    if (line.option) return offer_values(line, *line.option);
    if (line.last.starts_with('-')) return offer_options(line.app);
    if (line.arguments == 0 && !commands_of(*line.app).empty()) return offer_commands(*line.app);
    if (auto* argument = argument_of(line)) return offer_values(line, *argument);
    return offer({});
}

}  // namespace toolhost::cli
