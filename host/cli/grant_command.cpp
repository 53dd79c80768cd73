#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <iostream>
#include <memory>

#include "host/base/environment.hpp"
#include "host/base/json_text.hpp"
#include "host/cli/file_edit.hpp"
#include "host/cli/grant_table.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/policy/grants_file.hpp"
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

// In the file a relative path is relative to the workspace, which can change; on the command line
// to the working folder.
std::string with_whole_path(const std::string& word) {
    constexpr std::string_view kPath = "write=";
    if (!word.starts_with(kPath) || word.size() == kPath.size()) return word;
    auto path = word.substr(kPath.size());
    const auto home = environment("HOME");
    if (!home.empty() && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
    if (path.starts_with('~')) return word;  // refused, with the reason
    auto whole = boost::filesystem::absolute(path).lexically_normal();
    if (whole.filename() == ".") whole = whole.parent_path();  // a/ means a
    // The sandbox follows no links, so the grant names the current target.
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

// Whether the word grants one of the declared tools.
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

// A grant that no tool requests has no effect; warn while the user remembers its purpose.
void warn_of_idle_grant(const Options& options, const policy::GrantKey& key,
                        const std::vector<GrantWord>& words) {
    const auto opened = core::Host::open(lenient_host_options(options));
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
        for (const auto& need : registry::kNeeds)
            needs.*need.member |= tool.spec.needs.*need.member;
        const auto& tools = tool.spec.needs.tools;
        needs.tools.insert(needs.tools.end(), tools.begin(), tools.end());
    }
    if (!named)
        spdlog::warn("no tool matches '{}'; the grant takes effect when one is installed",
                     key.text);
    for (const auto& word : words) {
        const auto& row = policy::info(word.kind);
        const bool asked = row.need ? needs.*row.need : declares_one(*catalogue, needs, word);
        if (named && !asked)
            spdlog::warn("'{}' does not request {} in its spec's needs; the grant has no effect",
                         key.text, word.path.empty() ? word.text() : "write");
        boost::system::error_code ignored;
        if (!word.path.empty() && !boost::filesystem::exists(word.path, ignored))
            spdlog::warn("{} does not exist; calls fail until it does", word.path);
        else if (word.path == "/")
            spdlog::warn("write=/ lets the tool write everywhere you can write");
    }
    if (const auto profile = host.configuration().profile; !profile->user_grants())
        spdlog::warn("profile '{}' ignores the user's grants (userGrants, {})", profile->name(),
                     profile->origin("/userGrants"));
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

// The words as typed, with absolute paths.
struct ParsedGrants {
    std::vector<GrantWord> words;
    std::vector<std::string> typed;

    [[nodiscard]] bool contains(const GrantWord& word) const {
        return std::ranges::find(words, word) != words.end() ||
               std::ranges::find(typed, word.text()) != typed.end();
    }
};

boost::system::result<ParsedGrants, std::string> parse_words(
    const std::vector<std::string>& typed) {
    ParsedGrants out{{}, typed};
    for (const auto& text : typed) {
        auto word = GrantWord::parse(with_whole_path(text));
        if (!word) return word.error();
        if (word->kind == GrantKind::none)
            return std::string(
                "'none' is valid in profiles only; to remove a grant: toolhost grant --revoke NAME "
                "GRANT");
        out.words.push_back(*std::move(word));
    }
    return out;
}

// The grants of the file after the change. `by_hand` contains those of the config file.
std::vector<Grant> changed_grants(std::vector<Grant> grants, const std::vector<Grant>& by_hand,
                                  const policy::GrantKey& key, const ParsedGrants& parsed,
                                  bool revoke) {
    if (revoke) {
        std::erase_if(grants, [&](const Grant& grant) {
            return grant.key.text == key.text && parsed.contains(grant.word);
        });
        return grants;
    }
    for (const auto& word : parsed.words) {
        const auto is_it = [&](const Grant& grant) {
            return grant.key.text == key.text && grant.word == word;
        };
        if (std::ranges::none_of(grants, is_it) && std::ranges::none_of(by_hand, is_it))
            grants.push_back({key, word, {}});
    }
    return grants;
}

bool same_grants(const std::vector<Grant>& a, const std::vector<Grant>& b) {
    return std::ranges::is_permutation(a, b, [](const Grant& x, const Grant& y) {
        return x.key.text == y.key.text && x.word == y.word;
    });
}

boost::system::result<bool, EditFault> edit_grants(const std::string& file,
                                                   const std::vector<Grant>& by_hand,
                                                   const policy::GrantKey& key,
                                                   const ParsedGrants& parsed, bool revoke) {
    std::vector<Grant> wanted;
    return edit_file(
        file, {policy::kMaxYamlBytes,
               [&](const std::string& text) -> Result<std::string> {
                   auto given = policy::parse_grants(text, file);
                   if (!given) return given.error();
                   wanted = changed_grants(*given, by_hand, key, parsed, revoke);
                   if (same_grants(wanted, *given)) return text;
                   return policy::grants_text(wanted);
               },
               [&](const std::string& draft) -> Result<void> {
                   auto written = policy::load_grants(draft);
                   if (!written) return written.error();
                   if (same_grants(*written, wanted)) return {};
                   return Error{ErrorCode::invalid_input, "it cannot be written as YAML", {}};
               }});
}

// Grants that only the user can remove.
std::string written_by_hand(const std::vector<Grant>& by_hand, const policy::GrantKey& key,
                            const ParsedGrants& parsed) {
    std::string out;
    for (const auto& grant : by_hand)
        if (grant.key.text == key.text && parsed.contains(grant.word))
            out += (out.empty() ? "" : "\n") + grant.place.text() + ": " + grant.word.text() +
                   " is granted to " + key.text + " by hand; remove it there";
    return out;
}

Exit change_grants(Options options, const GrantArguments& arguments) {
    auto key = policy::GrantKey::parse(arguments.name);
    if (!key) return refuse_grant(key.error(), Exit::usage);
    const auto parsed = parse_words(arguments.words);
    if (!parsed) return refuse_grant(parsed.error(), Exit::usage);
    const bool named = !options.config.empty();
    if (!named) options.config = policy::default_config_file();
    if (options.config.empty())
        return refuse_grant(
            "HOME is not set, so there is no default config file; use --config FILE", Exit::usage);
    // Reports existing errors of either file with their position.
    auto before = policy::load_config(options.config, named);
    if (!before) return print_error(before.error());
    const auto file = policy::grants_file(options.config);
    std::erase_if(before->grants, [&](const Grant& grant) { return grant.place.file == file; });
    const auto changed = edit_grants(file, before->grants, *key, *parsed, arguments.revoke);
    if (!changed) return refuse_grant(changed.error().message, changed.error().exit);
    auto after = policy::load_config(options.config, named);
    if (!after) return print_error(after.error());
    const auto left =
        arguments.revoke ? written_by_hand(before->grants, *key, *parsed) : std::string();
    if (left.empty() || *changed)
        report_grant(options, file, key->text, words_of(after->grants, key->text), *changed);
    if (!left.empty()) return refuse_grant(left, Exit::invalid);
    if (!arguments.revoke) warn_of_idle_grant(options, *key, parsed->words);
    return Exit::ok;
}

Exit list_grants(const Options& options) {
    auto configuration = load_configuration(config_choice(options));
    if (!configuration) return print_error(configuration.error());
    const auto& profile = *configuration->profile;
    GrantTable table;
    table.add(profile.grants(), true);
    table.add(configuration->config.grants, profile.user_grants());
    if (options.json)
        print_json({{"grants", table.json()},
                    {"profile", profile.name()},
                    {"userGrants", profile.user_grants()}});
    else if (table.empty())
        std::cout << "No grants: tools can read the workspace and nothing else.\n";
    else
        table.print(profile.name());
    return Exit::ok;
}

}  // namespace

Action setup_grant(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<GrantArguments>();
    auto* name = app.add_option("NAME", arguments->name,
                                "A tool or a pattern of tools; without NAME, list the grants")
                     ->type_name("TOOL");
    app.add_option("GRANT", arguments->words, "One or more of " + policy::grant_words())
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
                "missing argument: grant needs a tool and at least one of " + policy::grant_words(),
                Exit::usage);
        return change_grants(options, given);
    };
}

}  // namespace toolhost::cli
