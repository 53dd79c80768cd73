#include "host/discovery/requirements.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "host/discovery/command_search.hpp"
#include "host/version.hpp"

namespace toolhost::discovery {
namespace {

bool accepts(const std::string& range, const Version& version) {
    auto accepted = VersionRange::parse(range);
    return accepted && accepted->contains(version);
}

}  // namespace

Requirements::Requirements(const RequirementOptions& options)
    : writable_(options.writable),
      ask_again_(options.ask_again),
      versions_(options.cache, options.host) {}

std::optional<Version> find_version(const std::string& text) {
    constexpr std::string_view kDigits = "0123456789";
    for (std::size_t at = 0; (at = text.find_first_of(kDigits, at)) != std::string::npos;) {
        auto end = std::min(text.find_first_not_of("0123456789.", at), text.size());
        auto word = text.substr(at, end - at);
        at = end;
        while (word.ends_with('.')) word.pop_back();  // the end of a sentence
        auto dots = std::count(word.begin(), word.end(), '.');
        if (dots == 1) word += ".0";
        if (dots > 2) word.resize(word.find('.', word.find('.', word.find('.') + 1) + 1));
        if (auto version = Version::parse(word)) return version;
    }
    return std::nullopt;
}

std::vector<std::string> Requirements::missing(const registry::ToolSpec& spec) {
    std::vector<std::string> out;
    for (const auto& [what, range] : spec.requirements)
        if (auto sentence = check(what, range); !sentence.empty()) out.push_back(sentence);
    return out;
}

std::string Requirements::check(const std::string& what, const std::string& range) {
    auto colon = what.find(':');
    auto kind = what.substr(0, colon);
    auto name = colon == std::string::npos ? "" : what.substr(colon + 1);
    if (what == "toolhost")
        return accepts(range, *Version::parse(kVersion))
                   ? ""
                   : std::string("toolhost ") + range + " is required, this is " + kVersion;
    if (kind == "env")
        return std::getenv(name.c_str()) ? "" : "the environment variable " + name + " is not set";
    if (kind == "command") return check_command(name, range);
    if (kind == "tool") return "";
    return "'" + what + "' is not a known kind of requirement";
}

std::string Requirements::check_command(const std::string& name, const std::string& range) {
    const auto found = find_command(name, writable_);
    if (found.program.empty())
        return found.ignored.empty()
                   ? "the command " + name + " is not in PATH"
                   : "the command " + name + " is in PATH, but ignored: " + found.ignored;
    if (range == "*") return "";
    auto sentence = compare(name, found.program, range, false);
    return sentence.empty() || !ask_again_ ? sentence : compare(name, found.program, range, true);
}

std::string Requirements::compare(const std::string& name, const std::string& program,
                                  const std::string& range, bool again) {
    const auto answer = versions_.ask(program, again);
    const auto version = find_version(answer.output);
    if (version && accepts(range, *version)) return "";
    const auto wanted = name + ' ' + range + " is required, ";
    if (version) return wanted + "found " + version->text();
    if (!answer.fault.empty()) return wanted + "and " + name + " --version failed: " + answer.fault;
    return wanted + "and " + name + " --version prints no version in a sandbox";
}

}  // namespace toolhost::discovery
