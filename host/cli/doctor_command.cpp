#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <memory>

#include "host/base/environment.hpp"
#include "host/call/tool_confinement.hpp"
#include "host/cli/doctor_candidates.hpp"
#include "host/cli/doctor_report.hpp"
#include "host/cli/doctor_schemas.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/policy/protected_paths.hpp"
#include "host/sandbox/kernel_features.hpp"
#include "host/sandbox/sandbox.hpp"
#include "host/sandbox/trusted_walk.hpp"
#include "host/version.hpp"

namespace toolhost::cli {
namespace {

Json folders(const core::Host& host) {
    Json out = Json::array();
    const auto report = host.report();
    for (const auto& folder : report.folders)
        out.push_back({{"path", folder.folder},
                       {"exists", folder.exists},
                       {"candidates", folder.candidates},
                       {"problem", folder.problem}});
    return out;
}

bool is_within(const std::string& path, const std::string& folder) {
    boost::system::error_code fault;
    const auto real = boost::filesystem::weakly_canonical(path, fault).string();
    return !path.empty() && !fault && (real + '/').starts_with(folder + '/');
}

// Warns about a workspace that is probably unintended.
std::string workspace_note(const std::string& workspace, const core::Host& host) {
    boost::system::error_code fault;
    if (!boost::filesystem::is_directory(workspace, fault))
        return "is not a folder: calls that read it are refused";
    const auto real = boost::filesystem::canonical(workspace, fault).string();
    const auto home = environment("HOME");
    if (real == "/") return "is the root folder: every tool can read the whole file system";
    if (!home.empty() && real == boost::filesystem::weakly_canonical(home, fault).string())
        return "is your home folder: every tool can read it, including keys and shell history";
    for (const auto& own : {host.configuration().config.file, host.folders().cache})
        if (is_within(own, real))
            return "holds " + own +
                   ", which tools cannot write; set another workspace in the profile";
    return "";
}

// The trusted files that no code run by a tool can write, as far as they were found.
Json trusted_files(const policy::Profile& profile, const std::string& workspace) {
    sandbox::Confinement confinement;
    confinement.write = {workspace};
    confinement.trusted_names = policy::protected_paths(profile.unprotect());
    const auto found = sandbox::find_nested_files(confinement);
    return {
        {"nested", found.paths.size()}, {"folders", found.folders}, {"complete", found.complete}};
}

Json profile(core::Host& host) {
    const auto config = host.configuration().config.file;
    const auto view = host.invoker().view();
    const auto& in_force = view->profile();
    const auto& defaults = in_force.merged().at("defaults");
    const auto isolation = defaults.value("isolation", "");
    const auto sandbox = defaults.value("sandbox", "");
    const auto workspace = call::workspace_of(in_force);
    auto problem = host.profile_problem();
    if (problem.empty() && sandbox == "required") {
        const auto& missing = sandbox::missing_sandbox_parts();
        if (isolation == "in_process")
            problem =
                "isolation in_process has no sandbox, so calls are refused; set isolation: process";
        else if (!missing.empty())
            problem = "the kernel does not support " + missing.front() +
                      ", so calls are refused; sandbox: best_effort runs without it";
    }
    return {{"name", in_force.name()},
            {"file", in_force.file()},
            {"isolation", isolation},
            {"sandbox", sandbox},
            {"config", config},
            {"problem", problem},
            {"workspace", workspace},
            {"workspaceNote", workspace_note(workspace, host)},
            {"trustedFiles", trusted_files(in_force, workspace)}};
}

Json examine(core::Host& host, const Options& options) {
    return {{"toolhost", kVersion},
            {"candidates", examine_candidates(host)},
            {"folders", folders(host)},
            {"cache",
             {{"folder", host.folders().cache},
              {"used", !options.no_cache && !host.folders().cache.empty()},
              {"complaints", host.report().warnings}}},
            {"kernel", sandbox::kernel_features()},
            {"profile", profile(host)},
            {"allowlist", host.invoker().view()->allowlist().references()},
            {"complaints", host.invoker().view()->allowlist().warnings()}};
}

// Whether every library was accepted and, if requested, every schema is accepted by the provider.
bool is_in_order(const Json& report) {
    const auto& all = report["candidates"];
    const bool refused = std::any_of(all.begin(), all.end(), [](const Json& entry) {
        return entry.value("status", "") == "refused";
    });
    return !refused && (!report.contains("schemas") || report["schemas"]["findings"].empty());
}

}  // namespace

Action setup_doctor(CLI::App& app, const Options& options) {
    auto provider = std::make_shared<std::string>();
    app.add_option("--provider", *provider,
                   "Also check the tools' schemas against this provider's rules")
        ->type_name("NAME")
        ->check(CLI::IsMember({"anthropic", "openai", "gemini"}));
    return [=, &options] {
        auto wanted = lenient_host_options(options);
        wanted.retry_refused = true;
        auto opened = core::Host::open(std::move(wanted));
        if (!opened) return print_error(opened.error());
        core::Host& host = **opened;
        auto report = examine(host, options);
        if (!provider->empty()) report["schemas"] = lint_schemas(*host.catalogue(), *provider);
        if (options.json)
            print_json(report);
        else
            print_report(report);
        return is_in_order(report) ? Exit::ok : Exit::check_failed;
    };
}

}  // namespace toolhost::cli
