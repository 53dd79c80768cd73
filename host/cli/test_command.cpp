#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem/operations.hpp>
#include <cerrno>
#include <iostream>
#include <memory>
#include <set>

#include "host/base/json_text.hpp"
#include "host/base/suggest.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/repeatable.hpp"
#include "host/cli/terminal.hpp"
#include "host/discovery/candidate.hpp"
#include "host/discovery/folders.hpp"
#include "host/host_files.hpp"
#include "host/os/descriptor.hpp"
#include "host/validate/checks.hpp"
#include "host/validate/validate.hpp"

namespace toolhost::cli {
namespace fs = boost::filesystem;
namespace {

using validate::Verdict;

struct TestArguments {
    std::vector<std::string> plugins, only;
    std::string junit;
    bool yes = false, list = false;
};

struct Library {
    std::string path;
    bool own_folder = false;  // NAME/NAME.so
};

bool is_own_folder(const fs::path& library) {
    return library.parent_path().filename() == library.stem();
}

// The libraries of a file, a folder, or a NAME in the plugin folders; may be empty.
std::vector<Library> find_libraries(const std::string& given, const Options& options) {
    boost::system::error_code fault;
    const auto path = fs::absolute(given);
    if (fs::is_directory(path, fault)) {
        std::vector<Library> out;
        const auto own = path / (path.filename().string() + ".so");
        if (fs::exists(own, fault)) return {{own.string(), true}};
        for (const auto& found : discovery::list_candidates(path.string()).candidates)
            out.push_back({found.candidate.path, found.candidate.own_folder});
        return out;
    }
    if (fs::exists(path, fault)) return {{path.string(), is_own_folder(path)}};
    if (given.find('/') != given.npos) return {};
    for (const auto& folder :
         discovery::find_folders({options.plugins, options.only_plugins}).plugins)
        for (const auto& found : discovery::list_candidates(folder).candidates) {
            const fs::path library(found.candidate.path);
            if (library.stem() == given || library.filename() == given)
                return {{found.candidate.path, found.candidate.own_folder}};
        }
    return {};
}

Style style_of(Verdict verdict) {
    return verdict == Verdict::pass   ? Style::green
           : verdict == Verdict::fail ? Style::red
           : verdict == Verdict::warn ? Style::yellow
                                      : Style::dim;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c - 'a' + 'A');
    return out;
}

void print_report(const validate::Report& report) {
    constexpr std::size_t kVerdictColumns = 4, kIdColumns = 18, kIndent = 8;
    std::cout << styled(Style::bold, printable(report.plugin)) << '\n';
    for (const auto& check : report.checks) {
        const auto verdict = check.verdict();
        std::cout << "  "
                  << styled(style_of(verdict), padded(upper(name_of(verdict)), kVerdictColumns))
                  << "  " << padded(check.id, kIdColumns) << "  " << check.what << '\n';
        for (const auto& problem : check.problems) {
            if (problem.verdict == Verdict::skip && verdict != Verdict::skip) continue;
            std::cout << std::string(kIndent, ' ')
                      << wrapped(printable((problem.tool.empty() ? "" : problem.tool + ": ") +
                                           problem.message),
                                 kIndent + 2, width())
                      << '\n';
        }
    }
    std::cout << "  " << report.count(Verdict::pass) << " passed, " << report.count(Verdict::fail)
              << " failed, " << report.count(Verdict::warn) << " with warnings, "
              << report.count(Verdict::skip) << " skipped\n";
}

Exit print_checks(const Options& options) {
    if (options.json) {
        Json out = Json::array();
        for (const auto& check : validate::all_checks())
            out.push_back({{"id", check.id}, {"what", check.what}});
        std::cout << dump({{"checks", out}}, 2) << '\n';
        return Exit::ok;
    }
    for (const auto& check : validate::all_checks())
        std::cout << padded(check.id, 18) << "  " << check.what << '\n';
    return Exit::ok;
}

// An empty string if all are names of checks.
std::string unknown_check(const std::vector<std::string>& only) {
    std::vector<std::string> ids;
    for (const auto& check : validate::all_checks()) ids.emplace_back(check.id);
    for (const auto& id : only)
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            return "unknown check '" + id + "'" + did_you_mean(id, ids);
    return "";
}

Exit print_reports(const std::vector<validate::Report>& reports, const TestArguments& arguments,
                   const Options& options) {
    bool failed = false;
    Json all = Json::array();
    for (const auto& report : reports) {
        failed |= report.count(Verdict::fail) > 0;
        if (options.json)
            all.push_back(to_json(report));
        else
            print_report(report);
    }
    if (options.json) std::cout << dump({{"plugins", all}, {"ok", !failed}}, 2) << '\n';
    if (!arguments.junit.empty()) {
        const auto file = os::open_output(arguments.junit, os::Output::replace, 0666);
        if (!file || !os::write_all(file.get(), to_junit(reports))) {
            std::cerr << "toolhost: cannot write " << printable(arguments.junit) << ": "
                      << os::system_message(errno) << '\n';
            return Exit::trouble;
        }
    }
    return failed ? Exit::check_failed : Exit::ok;
}

// Further files that no tool under test may write, even if the user granted another folder.
std::vector<call::HostFile> own_files(const LoadedConfig& configuration, const Options& options) {
    const auto folders = discovery::find_folders({options.plugins, options.only_plugins});
    auto files = host_files(configuration.config, folders, boost::dll::program_location().string());
    const auto profiles = profile_files(*configuration.profile);
    files.insert(files.end(), profiles.begin(), profiles.end());
    return files;
}

Exit run_tests(const TestArguments& arguments, const Options& options) {
    if (arguments.list) return print_checks(options);
    if (arguments.plugins.empty()) {
        std::cerr
            << "toolhost: missing argument: test needs a library, a folder of plugins or a NAME\n";
        return Exit::usage;
    }
    if (const auto unknown = unknown_check(arguments.only); !unknown.empty()) {
        std::cerr << "toolhost: " << printable(unknown)
                  << "; run 'toolhost test --list' for all checks\n";
        return Exit::usage;
    }
    std::vector<Library> libraries;
    for (const auto& given : arguments.plugins) {
        const auto found = find_libraries(given, options);
        if (found.empty()) {
            std::cerr << "toolhost: " << printable(given) << ": no plugin found\n";
            return Exit::trouble;
        }
        libraries.insert(libraries.end(), found.begin(), found.end());
    }
    auto configuration = load_configuration(config_choice(options));
    if (!configuration) return print_error(configuration.error());
    validate::BenchOptions bench;
    bench.program = boost::dll::program_location().string();
    bench.rules = {configuration->profile,
                   {configuration->widened, configuration->config.grants, discovery::is_shipped,
                    own_files(*configuration, options)}};
    bench.probe_deadline = std::chrono::milliseconds(options.probe_timeout_ms);
    bench.side_effects = arguments.yes;
    const std::set<std::string> only(arguments.only.begin(), arguments.only.end());
    std::vector<validate::Report> reports;
    for (const auto& library : libraries)
        reports.push_back(validate::validate(library.path, library.own_folder, bench, only));
    return print_reports(reports, arguments, options);
}

}  // namespace

Action setup_test(CLI::App& app, const Options& options) {
    auto arguments = std::make_shared<TestArguments>();
    app.add_option("PLUGIN", arguments->plugins,
                   "A library, a folder of plugins, or a NAME in the plugin folders")
        ->type_name("FILE");
    repeatable(app.add_option("--only", arguments->only, "Run only this check (repeatable)"))
        ->type_name("CHECK");
    app.add_option("--junit", arguments->junit, "Also write the results to FILE as JUnit XML")
        ->type_name("FILE");
    app.add_flag("--yes", arguments->yes,
                 "Also run tools that write, execute programs, use the network or require consent");
    app.add_flag("--list", arguments->list, "List the checks");
    return [=, &options] {
        for (auto& word : arguments->plugins) word = as_typed(std::move(word));
        return run_tests(*arguments, options);
    };
}

}  // namespace toolhost::cli
