#include "command/rules.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <toolhost/process.hpp>

namespace shell {
namespace {

namespace fs = std::filesystem;

// Options that make a reading program write or run others. `valued`: short options that take the
// rest of their word.
struct Refusable {
    std::string_view program;
    std::vector<std::string_view> words;         // exact words: -exec
    std::vector<std::string_view> long_options;  // may be abbreviated, as in getopt
    std::string_view short_options, valued;
};

const Refusable kRefusable[] = {
    {"find",
     {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"},
     {},
     "",
     ""},
    {"sort", {}, {"--compress-program"}, "", ""},
    {"date", {}, {"--set"}, "s", "dfrI"},
    {"file", {}, {"--uncompress", "--uncompress-noreport", "--compile"}, "zZC", "eFfmP"},
    {"rg", {}, {"--pre", "--hostname-bin"}, "z", "efgtTmABCjM"},
};

// These open no files, so their words are not paths.
constexpr std::string_view kOpensNothing[] = {"echo",     "printf",  "seq",  "true", "false",
                                              "basename", "dirname", "expr", "tr"};

// Options whose value, in the next word, is text.
struct TextOption {
    std::string_view program, option;
};
constexpr TextOption kTextOptions[] = {{"cut", "-d"},   {"paste", "-d"}, {"sort", "-t"},
                                       {"join", "-t"},  {"grep", "-e"},  {"egrep", "-e"},
                                       {"fgrep", "-e"}, {"rg", "-e"}};
constexpr std::string_view kSearchers[] = {"grep", "egrep", "fgrep", "rg"};

bool matches(const std::string& pattern, const std::string& text) {
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}
bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(pattern, text); });
}

Refusal not_allowed(const Rules& rules, const std::string& name) {
    std::string list;
    for (const auto& one : rules.allowed) list += (list.empty() ? "" : " ") + one;
    return {"command_not_allowed", "'" + name +
                                       "' is not an allowed command of this profile; allowed: " +
                                       (list.empty() ? "none" : list)};
}

// Patterns of files are absolute, or relative to the workspace.
bool file_allowed(const Rules& rules, const std::string& file) {
    return std::any_of(rules.allowed.begin(), rules.allowed.end(), [&](const std::string& pattern) {
        if (pattern.find('/') == std::string::npos) return false;
        return ::fnmatch((rules.workspace / pattern).lexically_normal().c_str(), file.c_str(),
                         FNM_PATHNAME) == 0;
    });
}

bool is_refused_long(const Refusable& rule, std::string_view word) {
    const auto name = word.substr(0, word.find('='));
    return name.size() > 2 && std::any_of(rule.long_options.begin(), rule.long_options.end(),
                                          [&](auto option) { return option.starts_with(name); });
}

bool is_refused_short(const Refusable& rule, std::string_view word) {
    if (word.size() < 2 || word[0] != '-' || word[1] == '-') return false;
    for (char letter : word.substr(1)) {
        if (rule.short_options.find(letter) != std::string_view::npos) return true;
        if (rule.valued.find(letter) != std::string_view::npos) return false;
    }
    return false;
}

// The parts of a word that may be a path.
std::vector<std::string> paths_in(const std::string& word) {
    if (word.empty() || word == "/dev/null" || word == "-") return {};
    if (word[0] != '-') return {word};
    if (const auto value = word.find('='); value != std::string::npos)
        return {word.substr(value + 1)};
    const auto slash = word.find('/');  // -f/etc/passwd; but -d/ is a delimiter
    if (slash == std::string::npos || slash + 1 == word.size()) return {};
    return {word.substr(slash)};
}

// Whether an option of a search program contains the pattern.
bool has_pattern_option(const std::vector<std::string>& words) {
    return std::any_of(words.begin() + 1, words.end(), [](std::string_view word) {
        if (word.starts_with("--")) return word.starts_with("--reg") || word.starts_with("--fi");
        return word.starts_with("-") && word.find_first_of("ef") != std::string_view::npos;
    });
}

// The words that may be paths, which excludes search patterns and delimiters.
std::vector<std::string> operands(const std::string& program,
                                  const std::vector<std::string>& words) {
    std::vector<std::string> out;
    bool pattern =
        std::find(std::begin(kSearchers), std::end(kSearchers), program) != std::end(kSearchers) &&
        !has_pattern_option(words);
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool text = std::any_of(
            std::begin(kTextOptions), std::end(kTextOptions), [&](const TextOption& one) {
                return one.program == program && one.option == words[i - 1];
            });
        const bool first = pattern && !words[i].starts_with("-");
        if (first) pattern = false;
        if (!text && !first) out.push_back(words[i]);
    }
    return out;
}

// Whether the file, or its folder, may exist. Returns true if it cannot be determined.
bool may_exist(const fs::path& path) {
    std::error_code fault;
    const auto status = fs::symlink_status(path.parent_path(), fault);
    return status.type() != fs::file_type::not_found;
}

}  // namespace

fs::path resolved(const fs::path& folder, const std::string& file) {
    std::error_code fault;
    auto out = fs::weakly_canonical(folder / file, fault);
    if (fault) out = (folder / file).lexically_normal();
    return out;
}

bool is_within(const fs::path& folder, const fs::path& path) {
    const auto parts = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return parts.first == folder.end();
}

Refused find_allowed(const Rules& rules, const fs::path& folder, const std::string& name,
                     std::string& file) {
    if (name.find('/') != std::string::npos) {
        file = resolved(folder, name).string();
        if (any_matches(rules.denied, fs::path(file).filename().string()) ||
            any_matches(rules.denied, file) || !file_allowed(rules, file))
            return not_allowed(rules, name);
        return {};
    }
    if (any_matches(rules.denied, name) || !any_matches(rules.allowed, name))
        return not_allowed(rules, name);
    const auto found = toolhost::find_program(name, rules.path);
    if (!found) return malformed("program '" + name + "' not found");
    file = *found;
    const auto real = resolved("/", file);
    if (any_matches(rules.denied, real.filename().string()) || is_within(rules.workspace, real))
        return not_allowed(rules, name);
    return {};
}

Refused check_path(const Rules& rules, const fs::path& folder, const std::string& path) {
    if (!rules.confine_paths || is_within(rules.workspace, resolved(folder, path))) return {};
    return Refusal{"path_not_allowed", "'" + path.substr(0, 200) + "' is outside the workspace " +
                                           rules.workspace.string() +
                                           ". Use files of the workspace; with confine_paths: "
                                           "false in the policy, only the sandbox restricts paths"};
}

Refused check_words(const Rules& rules, const fs::path& folder,
                    const std::vector<std::string>& words) {
    const auto program = fs::path(words[0]).filename().string();
    for (const auto& rule : kRefusable) {
        if (rule.program != program) continue;
        for (auto word = words.begin() + 1; word != words.end(); ++word)
            if (std::find(rule.words.begin(), rule.words.end(), *word) != rule.words.end() ||
                is_refused_long(rule, *word) || is_refused_short(rule, *word))
                return Refusal{"command_not_allowed",
                               "'" + program + "' cannot be used with '" + word->substr(0, 100) +
                                   "', which runs other programs or changes things"};
    }
    if (std::find(std::begin(kOpensNothing), std::end(kOpensNothing), program) !=
        std::end(kOpensNothing))
        return {};
    for (const auto& word : operands(program, words))
        for (const auto& path : paths_in(word))
            if (auto refused = check_path(rules, folder, path);
                refused && may_exist(resolved(folder, path)))
                return refused;
    return {};
}

}  // namespace shell
