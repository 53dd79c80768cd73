#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "host/base/json_text.hpp"
#include "host/cli/file_edit.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/policy/config_edit.hpp"
#include "host/policy/yaml_document.hpp"

namespace toolhost::cli {
namespace {

using policy::Grant;
using policy::GrantKind;
using policy::GrantWord;

struct GrantArguments {
    std::string name;
    std::vector<std::string> words;
    bool revoke = false;
};

Exit refuse_grant(const std::string& message, Exit exit) {
    std::cerr << "toolhost: " << printable(message) << '\n';
    return exit;
}

// In the file a relative path is meant from the workspace, which may be another one tomorrow; on a
// command line it is meant from here.
std::string with_whole_path(const std::string& word) {
    constexpr std::string_view kPath = "write=";
    if (!word.starts_with(kPath) || word.size() == kPath.size()) return word;
    auto path = word.substr(kPath.size());
    const char* home = std::getenv("HOME");
    if (home && *home && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
    if (path.starts_with('~')) return word;  // refused, with the reason
    auto whole = boost::filesystem::absolute(path).lexically_normal();
    if (whole.filename() == ".") whole = whole.parent_path();  // a/ is a
    // The sandbox follows no links: what is granted is what is there now.
    boost::system::error_code fault;
    if (auto real = boost::filesystem::weakly_canonical(whole, fault); !fault) whole = real;
    return std::string(kPath) + whole.string();
}

std::vector<std::string> words_of(const std::vector<Grant>& grants, const std::string& key) {
    std::vector<std::string> out;
    for (const auto& grant : grants)
        if (grant.key.text == key) out.push_back(grant.word.text());
    return out;
}

// Whether one of the declared tools is granted by the word.
bool declares_one(const registry::Catalogue& catalogue, const registry::Needs& needs,
                  const GrantWord& word) {
    if (word.tool.empty()) return !needs.tools.empty();
    const auto key = policy::GrantKey::parse(word.tool);
    return key && std::any_of(needs.tools.begin(), needs.tools.end(), [&](const auto& declared) {
               const auto tool = catalogue.resolve(declared);
               return tool &&
                      key->names((*tool)->spec, discovery::is_shipped((*tool)->library->path));
           });
}

// Without a tool that asks for it, a grant opens nothing; say so while it is remembered why it was
// given.
void warn_of_idle_grant(const Options& options, const policy::GrantKey& key,
                        const std::vector<GrantWord>& words) {
    const auto opened = core::Host::open(forgiving_host_options(options));
    if (!opened) {
        spdlog::warn("the grant was not checked against the tools: {}", opened.error().message);
        return;
    }
    core::Host& host = **opened;
    bool named = false;
    registry::Needs needs;
    const auto catalogue = host.catalogue();
    for (const auto& tool : catalogue->all()) {
        if (!key.names(tool.spec, discovery::is_shipped(tool.library->path))) continue;
        named = true;
        needs.network |= tool.spec.needs.network;
        needs.exec |= tool.spec.needs.exec;
        needs.write |= tool.spec.needs.write;
        const auto& tools = tool.spec.needs.tools;
        needs.tools.insert(needs.tools.end(), tools.begin(), tools.end());
    }
    if (!named)
        spdlog::warn("no tool matches '{}'; the grant takes effect when one is installed",
                     key.text);
    for (const auto& word : words) {
        const bool asked = word.kind == GrantKind::network ? needs.network
                           : word.kind == GrantKind::exec  ? needs.exec
                           : word.kind == GrantKind::tools ? declares_one(*catalogue, needs, word)
                                                           : needs.write;
        if (named && !asked)
            spdlog::warn("'{}' does not request {} in its spec's needs; the grant has no effect",
                         key.text, word.path.empty() ? word.text() : "write");
        boost::system::error_code ignored;
        if (!word.path.empty() && !boost::filesystem::exists(word.path, ignored))
            spdlog::warn("{} does not exist; calls fail until it does", word.path);
        else if (word.path == "/")
            spdlog::warn("write=/ lets the tool write everywhere you can write");
    }
    if (const auto& profile = host.configuration().profile; !profile->user_grants())
        spdlog::warn("profile '{}' ignores the grants of the config file (userGrants, {})",
                     profile->name(), profile->origin("/userGrants"));
}

void report_grant(const Options& options, const std::string& file, const std::string& key,
                  const std::vector<std::string>& now, bool changed) {
    if (options.json) {
        print_json({{"tool", key}, {"granted", now}, {"changed", changed}, {"file", file}});
        return;
    }
    std::cout << printable(key) << (changed ? " is now granted " : " is granted ")
              << (now.empty() ? "nothing" : printable(policy::joined(now)))
              << (changed ? "" : "; nothing changed") << " (" << printable(file) << ")\n";
}

Exit change_grants(Options options, const GrantArguments& arguments) {
    auto key = policy::GrantKey::parse(arguments.name);
    if (!key) return refuse_grant(key.error(), Exit::usage);
    std::vector<GrantWord> words;
    std::vector<std::string> texts;
    for (const auto& typed : arguments.words) {
        auto word = GrantWord::parse(with_whole_path(typed));
        if (!word) return refuse_grant(word.error(), Exit::usage);
        if (word->kind == policy::GrantKind::none)
            return refuse_grant(
                "'none' is valid in profiles only; to remove a grant: toolhost grant --revoke NAME "
                "GRANT",
                Exit::usage);
        texts.push_back(word->text());
        if (arguments.revoke) texts.push_back(typed);  // as it may be written by hand
        words.push_back(*std::move(word));
    }
    if (options.config.empty()) options.config = policy::default_config_file();
    if (options.config.empty())
        return refuse_grant(
            "HOME is not set, so there is no default config file; use --config FILE", Exit::usage);
    const auto& file = options.config;
    // A file that is wrong already is said to be so at the place where it is.
    if (auto before = policy::load_config(file, false); !before) return print_error(before.error());
    auto changed = edit_file(
        file, {policy::kMaxYamlBytes,
               [&](const std::string& text) {
                   return arguments.revoke ? policy::without_grants(text, file, key->text, texts)
                                           : policy::with_grants(text, file, key->text, texts);
               },
               [](const std::string& draft) -> Result<void> {
                   if (auto loads = policy::load_config(draft, true); !loads) return loads.error();
                   return {};
               }});
    if (!changed) return refuse_grant(changed.error().message, changed.error().exit);
    auto after = policy::load_config(file, false);
    if (!after) return print_error(after.error());
    report_grant(options, file, key->text, words_of(after->grants, key->text), *changed);
    if (!arguments.revoke) warn_of_idle_grant(options, *key, words);
    return Exit::ok;
}

struct Listed {
    const Grant* grant;
    bool in_force;
};

void print_grants(const std::vector<Listed>& rows, const policy::Profile& profile) {
    if (rows.empty()) {
        std::cout << "No grants: tools can read the workspace and nothing else.\n";
        return;
    }
    std::size_t keys = 0, words = 0;
    for (const auto& [grant, ignored] : rows) {
        keys = std::max(keys, columns_of(grant->key.text));
        words = std::max(words, columns_of(grant->word.text()));
    }
    for (const auto& [grant, in_force] : rows) {
        std::cout << padded(printable(grant->key.text), keys) << "  "
                  << padded(printable(grant->word.text()), words) << "  "
                  << styled(Style::dim, printable(grant->place.text()));
        if (!in_force)
            std::cout << "  "
                      << styled(Style::yellow, "not in force: profile '" + profile.name() +
                                                   "' has userGrants: false");
        std::cout << '\n';
    }
}

Exit list_grants(const Options& options) {
    auto configuration = load_configuration(config_choice(options));
    if (!configuration) return print_error(configuration.error());
    const auto& profile = *configuration->profile;
    std::vector<Listed> rows;
    for (const auto& grant : profile.grants()) rows.push_back({&grant, true});
    for (const auto& grant : configuration->config.grants)
        rows.push_back({&grant, profile.user_grants()});
    if (!options.json) {
        print_grants(rows, profile);
        return Exit::ok;
    }
    Json out = Json::array();
    for (const auto& [grant, in_force] : rows)
        out.push_back({{"tool", grant->key.text},
                       {"grant", grant->word.text()},
                       {"from", grant->place.text()},
                       {"inForce", in_force}});
    print_json(
        {{"grants", out}, {"profile", profile.name()}, {"userGrants", profile.user_grants()}});
    return Exit::ok;
}

}  // namespace

Action setup_grant(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<GrantArguments>();
    auto* name = app.add_option("NAME", arguments->name,
                                "A tool or a pattern of tools; without NAME, list the grants")
                     ->type_name("TOOL");
    app.add_option("GRANT", arguments->words,
                   "network, exec, write, write=PATH, tools or tools=NAME")
        ->type_name("GRANT")
        ->expected(0, -1);
    app.add_flag("--revoke", arguments->revoke, "Remove the grant");
    return [=, &options] {
        auto given = *arguments;
        given.name = as_typed(given.name);
        for (auto& word : given.words) word = as_typed(word);
        if (name->count() == 0 && given.words.empty() && !given.revoke) return list_grants(options);
        if (given.name.empty() || given.words.empty())
            return refuse_grant(
                "missing argument: grant needs a tool and at least one of network, exec, write, "
                "write=PATH, tools, tools=NAME",
                Exit::usage);
        return change_grants(options, given);
    };
}

}  // namespace toolhost::cli
