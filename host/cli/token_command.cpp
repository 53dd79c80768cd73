// toolhost token: edits the token file of `toolhost serve`.
#include <boost/filesystem/operations.hpp>
#include <iostream>
#include <memory>

#include "host/base/json_text.hpp"
#include "host/cli/file_edit.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/policy/profile_files.hpp"
#include "host/serve/auth/token_file.hpp"

namespace toolhost::cli {
namespace {

using serve::TokenEntry;
using serve::TokenFile;

struct TokenArguments {
    std::string name, file;
    bool replace = false, remove = false, metrics = false;
};

Exit refuse_token(const std::string& message, Exit exit) {
    std::cerr << "toolhost: " << printable(message) << '\n';
    return exit;
}

std::string shown_profile(const TokenEntry& entry) {
    if (entry.metrics) return "/metrics alone";
    return entry.profile.empty() ? "the host's own profile" : "profile '" + entry.profile + "'";
}

Json entry_json(const TokenEntry& entry) {
    Json out{{"name", entry.name},
             {"profile", entry.profile.empty() ? Json() : Json(entry.profile)}};
    if (entry.metrics) out["metrics"] = true;
    return out;
}

// The profile as written to the file: it must load, and mean the same in every folder.
Result<std::string> profile_to_write(const Options& options) {
    if (options.profile.empty()) return std::string();
    auto configuration = load_configuration(config_choice(options));
    if (!configuration) return configuration.error();
    auto profile = options.profile;
    if (policy::is_file_name(profile))
        profile = boost::filesystem::absolute(profile).lexically_normal().string();
    if (auto fault = serve::token_profile_fault(profile); !fault.empty())
        return Error{ErrorCode::invalid_input, std::move(fault), {}};
    return profile;
}

// The file's text after the requested change; `entry` is then the entry of that name.
Result<std::string> edited_tokens(const std::string& text, const TokenArguments& arguments,
                                  TokenEntry& entry) {
    const auto fault = [&](const std::string& what) {
        return Error{ErrorCode::invalid_input, arguments.file + ": " + what, {}};
    };
    auto tokens = TokenFile::parse(text, arguments.file);
    if (!tokens) return tokens.error();
    const auto* old = tokens->find_name(arguments.name);
    if (arguments.remove) {
        if (!old) return fault("no token of '" + arguments.name + "'");
        return serve::with_token_line(text, old->line, nullptr);
    }
    if (old && !arguments.replace)
        return fault("'" + arguments.name +
                     "' already has a token; use --replace to create a new one");
    // A replaced token keeps its restrictions unless new ones are given.
    if (old && entry.profile.empty() && !entry.metrics) {
        entry.profile = old->profile;
        entry.metrics = old->metrics;
    }
    return serve::with_token_line(text, old ? old->line : 0, &entry);
}

void print_made(const Options& options, const TokenArguments& arguments, const TokenEntry& entry,
                const std::string& token) {
    if (options.json) {
        Json made = entry_json(entry);
        made.update({{"token", token}, {"file", arguments.file}});
        print_json(made);
    } else {
        std::cout << token << '\n';
    }
    std::cerr << "This token is shown once; " << printable(arguments.file)
              << " stores only its hash.\n"
              << "A client that sends it is '" << entry.name << "', "
              << (entry.metrics ? "to " : "under ") << printable(shown_profile(entry)) << ":\n"
              << "  Authorization: Bearer TOKEN\n"
              << "Start a server that accepts it:\n  "
              << printable(options.invoked_as + " serve --http 127.0.0.1:8080 --token-file " +
                           arguments.file)
              << '\n';
}

Exit change_tokens(const Options& options, TokenArguments arguments) {
    if (auto fault = serve::token_name_fault(arguments.name); !fault.empty())
        return refuse_token(fault, Exit::usage);
    arguments.file = boost::filesystem::absolute(arguments.file).string();
    boost::system::error_code ignored;
    const bool exists = boost::filesystem::exists(arguments.file, ignored);
    // Reports a file that is already invalid or readable by others.
    if (exists || arguments.remove)
        if (auto before = TokenFile::load(arguments.file); !before)
            return print_error(before.error());
    auto profile = profile_to_write(options);
    if (!profile) return print_error(profile.error());
    const auto token = arguments.remove ? std::string() : serve::make_token();
    TokenEntry entry{arguments.name, *profile, serve::token_hash(token)};
    entry.metrics = arguments.metrics;
    auto changed =
        edit_file(arguments.file,
                  {serve::kMaxTokenFileBytes,
                   [&](const std::string& text) { return edited_tokens(text, arguments, entry); },
                   [](const std::string& draft) -> Result<void> {
                       if (auto loads = TokenFile::load(draft); !loads) return loads.error();
                       return {};
                   }});
    if (!changed) return refuse_token(changed.error().message, changed.error().exit);
    if (!arguments.remove) {
        print_made(options, arguments, entry, token);
    } else if (options.json) {
        print_json({{"name", arguments.name}, {"removed", true}, {"file", arguments.file}});
    } else {
        std::cout << "revoked the token of " << arguments.name << " (" << printable(arguments.file)
                  << ")\n";
    }
    std::cerr << "A running server reloads the file on SIGHUP.\n";
    return Exit::ok;
}

Exit list_tokens(const Options& options, const std::string& file) {
    const auto tokens = TokenFile::load(file);
    if (!tokens) return print_error(tokens.error());
    Json all = Json::array();
    for (const auto& entry : tokens->entries()) {
        all.push_back(entry_json(entry));
        if (!options.json)
            std::cout << entry.name << ": " << printable(shown_profile(entry)) << '\n';
    }
    if (options.json)
        print_json({{"tokens", all}, {"file", file}});
    else if (all.empty())
        std::cout << "No tokens.\n";
    return Exit::ok;
}

}  // namespace

Action setup_token(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<TokenArguments>();
    app.add_option("NAME", arguments->name,
                   "The client's name; --profile sets its profile. Without NAME, list the tokens");
    app.add_option("--file", arguments->file, "The token file; created if missing")
        ->type_name("FILE")
        ->required();
    auto* replace = app.add_flag("--replace", arguments->replace, "Replace the token of NAME");
    app.add_flag("--remove", arguments->remove, "Revoke the token")->excludes(replace);
    app.add_flag("--metrics", arguments->metrics, "Create a token for /metrics only");
    return [=, &options] {
        if (arguments->metrics && (arguments->remove || !options.profile.empty()))
            return refuse_token("a --metrics token has no profile: omit " +
                                    std::string(arguments->remove ? "--remove" : "--profile"),
                                Exit::usage);
        if (!arguments->name.empty()) return change_tokens(options, *arguments);
        if (arguments->replace || arguments->remove || arguments->metrics)
            return refuse_token("missing argument: token needs NAME", Exit::usage);
        return list_tokens(options, arguments->file);
    };
}

}  // namespace toolhost::cli
