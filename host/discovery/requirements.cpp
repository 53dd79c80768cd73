#include "host/discovery/requirements.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cstdlib>
#include <string_view>

#include "host/runtime/child_process.hpp"
#include "host/version.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

constexpr std::chrono::milliseconds kVersionDeadline{2000};

bool accepts(const std::string& range, const registry::Version& version) {
    auto accepted = registry::VersionRange::parse(range);
    return accepted && accepted->contains(version);
}

}  // namespace

std::string find_program(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos) return "";
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        auto end = rest.find(':');
        auto program = fs::path(std::string(rest.substr(0, end))) / name;
        boost::system::error_code fault;
        if (::access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program, fault))
            return program.string();
        rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    return "";
}

std::optional<registry::Version> find_version(const std::string& text) {
    constexpr std::string_view kDigits = "0123456789";
    for (std::size_t at = 0; (at = text.find_first_of(kDigits, at)) != std::string::npos;) {
        auto end = std::min(text.find_first_not_of("0123456789.", at), text.size());
        auto word = text.substr(at, end - at);
        at = end;
        while (word.ends_with('.')) word.pop_back();  // the end of a sentence
        auto dots = std::count(word.begin(), word.end(), '.');
        if (dots == 1) word += ".0";
        if (dots > 2) word.resize(word.find('.', word.find('.', word.find('.') + 1) + 1));
        if (auto version = registry::Version::parse(word)) return version;
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
        return accepts(range, *registry::Version::parse(kVersion))
                   ? ""
                   : std::string("toolhost ") + range + " is required, this is " + kVersion;
    if (kind == "env")
        return std::getenv(name.c_str()) ? "" : "the environment variable " + name + " is not set";
    if (kind == "command") return check_command(name, range);
    if (kind == "tool") return "";
    return "'" + what + "' is no kind of requirement this host knows";
}

std::string Requirements::check_command(const std::string& name, const std::string& range) {
    auto program = find_program(name);
    if (program.empty()) return "the command " + name + " is not on the PATH";
    if (range == "*") return "";
    auto [it, is_new] = commands_.emplace(name, "");
    if (is_new) {
        runtime::ChildCommand command;
        command.program = program;
        command.arguments = {"--version"};
        command.environment = runtime::minimal_environment();
        command.deadline = kVersionDeadline;
        it->second = runtime::run_child(command).output;
    }
    auto version = find_version(it->second);
    if (!version) return name + " --version does not tell its version, " + range + " is required";
    return accepts(range, *version)
               ? ""
               : name + ' ' + range + " is required, " + program + " is " + version->text();
}

}  // namespace toolhost::discovery
