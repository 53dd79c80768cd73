#include "host/cli/app.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/filesystem/operations.hpp>
#include <iostream>

#include "host/base/environment.hpp"
#include "host/base/suggest.hpp"
#include "host/cli/complete.hpp"
#include "host/cli/help.hpp"
#include "host/cli/logging.hpp"
#include "host/cli/man_page.hpp"
#include "host/cli/repeatable.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

constexpr Command kCommands[] = {
    {"list", "List the tools", setup_list},
    {"show", "Show one tool: its input, policy and references", setup_show},
    {"call", "Call a tool", setup_call},
    {"serve", "Serve the tools over MCP, on stdio or HTTP", setup_serve},
    {"token", "Create, replace or revoke the token of an HTTP client", setup_token},
    {"test", "Test a plugin: spec, examples, generated inputs, cancellation, leaks", setup_test},
    {"doctor", "Diagnose plugins and the environment", setup_doctor},
    {"profile", "Show profiles: the rules for calls and their limits", setup_profile},
    {"grant", "Grant a tool network, exec, write or tools; without NAME, list the grants",
     setup_grant},
    {"retry", "Lift the quarantine of a library", setup_retry},
    {"new", "Create a plugin project", setup_new},
    {"help", "Explain a command and its options", setup_help},
    {"version", "Print the version", setup_version},
};

const std::vector<std::string> kLogLevels = {"trace", "debug", "info", "warn", "error", "off"};

void add_common_options(CLI::App& app, Options& options) {
    auto add_folders = [&](const char* name, std::vector<std::string>& folders, const char* text) {
        repeatable(app.add_option(name, folders, text))
            ->type_name("DIR")
            ->check([](const std::string& folder) {
                return folder.empty() ? std::string("the folder name must not be empty")
                                      : std::string();
            });
    };
    add_folders("--plugins", options.plugins,
                "Also look for plugins in DIR, before the default folders (repeatable)");
    add_folders("--only-plugins", options.only_plugins,
                "Look for plugins in DIR only, not in the default folders (repeatable)");
    app.add_option("--profile", options.profile,
                   "Use this profile, by name or file (default: default)")
        ->type_name("NAME|FILE");
    app.add_option("--config", options.config, "Read FILE instead of the default config file")
        ->type_name("FILE");
    app.add_flag("--json", options.json, "Print JSON");
    app.add_option("--log-level", options.log_level,
                   "Log messages of this level and above on stderr")
        ->type_name("LEVEL")
        ->check(CLI::IsMember(kLogLevels))
        ->capture_default_str();
    app.add_flag("--no-cache", options.no_cache, "Probe every plugin and cache nothing");
    app.add_option("--probe-timeout", options.probe_timeout_ms, "Time limit for probing one plugin")
        ->type_name("MS")
        ->check(CLI::Range(1, 600000))
        ->capture_default_str();
}

constexpr char kWholeMark = '\x1f';

std::vector<std::string> marked_words(int argc, char** argv) {
    std::vector<std::string> words;
    for (int i = argc - 1; i > 0; --i) {  // CLI11 expects them in reverse order
        words.emplace_back(argv[i]);
        if (words.back().starts_with('[') && words.back().ends_with(']'))
            words.back() += kWholeMark;
    }
    return words;
}

// The program as the user called it, for suggested commands.
std::string invoked_as(std::string_view program) {
    if (auto given = environment("TOOLHOST_INVOKED_AS"); !given.empty()) return given;
    return program.find('/') == std::string_view::npos ? "toolhost" : std::string(program);
}

// Quotes a word for a shell.
std::string quoted(const std::string& word) {
    constexpr const char* kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@,+";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string out = "'";
    for (char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

// Suggests the option that was probably meant.
std::string hint_on(const CLI::App& app, const std::string& message) {
    const auto at = message.find("not expected: --");
    if (at == std::string::npos) return "";
    const auto first = message.find("--", at);
    const auto word = message.substr(first, message.find_first_of(" =", first) - first);
    std::vector<std::string> names;
    const auto chosen = app.get_subcommands();
    const CLI::App* const both[] = {&app, chosen.empty() ? nullptr : chosen.front()};
    for (const auto* one : both)
        if (one)
            for (const auto* option : one->get_options())
                if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames()[0]);
    auto hint = did_you_mean(word, names);
    if (both[1] && both[1]->get_name() == "call")
        hint += (hint.empty() ? "; a" : " A") +
                std::string(" tool's fields are given without dashes: ") + word.substr(2) +
                "=VALUE";
    return hint;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    std::string message = error.what();
    // CLI11 takes a misspelled command for an unexpected argument.
    std::vector<std::string> names;
    for (const auto& command : kCommands) names.emplace_back(command.name);
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-')
        message = "unknown command '" + std::string(argv[1]) + "'" + did_you_mean(argv[1], names);
    const auto chosen = app.get_subcommands();
    message += hint_on(app, message);
    std::cerr << "toolhost: " << message << "\nTry 'toolhost help"
              << (chosen.empty() ? "" : ' ' + chosen.front()->get_name()) << "'.\n";
    return static_cast<int>(Exit::usage);
}

}  // namespace

std::string typed_again(const Options& options) {
    std::string command = options.invoked_as;
    for (const auto& word : options.typed) command += ' ' + quoted(word);
    return command;
}

std::string suggested(const Options& options, std::string_view command) {
    std::string out = options.invoked_as;
    for (const auto& folder : options.plugins) out += " --plugins " + quoted(folder);
    for (const auto& folder : options.only_plugins) out += " --only-plugins " + quoted(folder);
    if (!options.profile.empty()) out += " --profile " + quoted(options.profile);
    if (!options.config.empty()) out += " --config " + quoted(options.config);
    return out + ' ' + std::string(command);
}

std::string as_typed(std::string word) {
    if (word.ends_with(kWholeMark)) word.pop_back();
    return word;
}

int run(int argc, char** argv) {
    keep_stdout_for_results();
    CLI::App app("Load AI-agent tools from shared libraries and call them", "toolhost");
    Options options;
    add_common_options(app, options);
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", version_line());
    app.fallthrough();  // options may precede or follow the command
    app.require_subcommand(0, 1);

    Action action = [&] { return welcome(options); };
    for (const auto& command : kCommands) {
        auto* sub = app.add_subcommand(command.name, command.description);
        auto prepared = std::make_shared<Action>(command.setup(*sub, options));
        sub->callback([&action, prepared] { action = *prepared; });
    }
    app.get_subcommand("list")->alias("list-tools");
    if (argc > 1 && std::string_view(argv[1]) == kCompleteCommand) {
        const auto code = complete(app, {argv + 2, argv + argc});
        std::cout.flush();
        return static_cast<int>(code);
    }
    if (argc == 4 && std::string_view(argv[1]) == kManCommand)
        return static_cast<int>(write_man_page(app, argv[2], argv[3]));

    try {
        app.parse(marked_words(argc, argv));
        for (auto* folders : {&options.plugins, &options.only_plugins})
            for (auto& folder : *folders) folder = as_typed(std::move(folder));
    } catch (const CLI::Success& wanted) {  // --help, --version
        int code = app.exit(wanted);
        std::cout.flush();
        return code;
    } catch (const CLI::ParseError& error) {
        return usage_error(app, error, argc, argv);
    }
    options.invoked_as = invoked_as(argv[0]);
    options.typed.assign(argv + 1, argv + argc);
    start_logging(options.log_level);
    if (boost::system::error_code gone; boost::filesystem::current_path(gone).empty()) {
        std::cerr << "toolhost: the working folder no longer exists; change to another folder\n";
        return static_cast<int>(Exit::trouble);
    }
    try {
        Exit code = action();
        std::cout.flush();
        results().flush();
        if (!std::cout || !results()) {  // for example a full disk or a closed pipe
            std::cerr << "toolhost: cannot write the output\n";
            return static_cast<int>(Exit::trouble);
        }
        return static_cast<int>(code);
    } catch (const std::exception& error) {
        std::cerr << "toolhost: internal error: " << error.what() << '\n';
        return static_cast<int>(Exit::internal);
    }
}

}  // namespace toolhost::cli
