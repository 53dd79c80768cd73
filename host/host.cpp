#include "host/host.hpp"

#include <spdlog/logger.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem/operations.hpp>

#include "host/host_files.hpp"

namespace toolhost::core {
namespace {

// With nothing that tools may write.
discovery::ScanOptions scan_options(const HostOptions& options, const discovery::Folders& folders) {
    discovery::ScanOptions scan;
    scan.folders = folders.plugins;
    scan.cache = options.no_cache ? "" : folders.cache;
    scan.probe.program = options.program;
    scan.probe.deadline = options.probe_timeout;
    return scan;
}

}  // namespace

Result<std::unique_ptr<Host>> Host::open(HostOptions options) {
    if (options.program.empty()) options.program = boost::dll::program_location().string();
    if (!options.warn) options.warn = [](const std::string&) {};
    std::string problem;
    auto configuration = load_configuration(options.config);
    if (!configuration) {
        if (!options.allow_invalid_profile) return configuration.error();
        problem = configuration.error().message;
        configuration = LoadedConfig{{}, policy::built_in_profile(), {}, {}};
    }
    options.plugins.program = options.program;
    auto folders = discovery::find_folders(options.plugins);
    auto scan = scan_options(options, folders);
    scan.retry_refused = options.retry_refused;
    const auto profile = configuration->profile;
    scan.writable = writable_folders(*profile, configuration->config.grants);
    auto report = discovery::scan(scan);
    std::unique_ptr<Host> host(
        new Host(std::move(options), *std::move(configuration), std::move(folders), report));
    host->profile_problem_ = std::move(problem);
    host->warn_of_report(report);
    if (auto filled = host->fill(std::move(report), scan); !filled) return filled.error();
    if (auto fits = call::check_policies(*host->catalogue(), *profile); !fits) {
        if (!host->options_.allow_invalid_profile) return fits.error();
        host->profile_problem_ = fits.error().message;
    }
    host->warn_of_tools();
    return host;
}

Host::Host(HostOptions options, LoadedConfig configuration, discovery::Folders folders,
           const discovery::ScanReport& report)
    : options_(std::move(options)),
      folders_(std::move(folders)),
      runtime_({options_.program, folders_.cache.empty() ? "" : folders_.cache + "/libraries",
                folders_.quarantine()}),
      invokers_({options_, folders_, registry_, runtime_}, std::move(configuration),
                linked_plugins(report)) {}

Host::~Host() {
    stop_watching();
    spdlog::debug("host: loaded={}", runtime_.in_process().loaded());
}

Result<void> Host::fill(discovery::ScanReport report, const discovery::ScanOptions& scan) {
    auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
        auto found = discovery::take_tools(report, scan);
        draft = created_.begin_draft(scan);
        std::ranges::move(found, std::back_inserter(draft));
        return {};
    });
    MutexLock lock(mutex_);
    report_ = std::move(report);
    if (!filled) return filled.error();
    return {};
}

void Host::warn_of_report(const discovery::ScanReport& report) const {
    for (const auto& warning : report.warnings) options_.warn(warning);
    for (const auto& folder : report.folders)
        if (!folder.problem.empty())
            options_.warn("folder " + folder.folder + " cannot be read: " + folder.problem);
}

void Host::warn_of_tools() {
    for (const auto* named : {&options_.plugins.added, &options_.plugins.only})
        for (const auto& folder : *named)
            if (boost::system::error_code fault; !boost::filesystem::exists(folder, fault))
                options_.warn("folder " + folder + " does not exist");
    warn_of_allowlist();
    for (const auto& hidden : catalogue()->shadowed())
        options_.warn("tool '" + hidden.tool.spec.name + "' " + hidden.tool.spec.version.text() +
                      " of " + hidden.tool.library->origin() + " is shadowed by " + hidden.by);
}

void Host::warn_of_allowlist() {
    for (const auto& warning : invoker().view()->allowlist().warnings())
        options_.warn(warning);
}

Result<call::Invoker*> Host::invoker_of(const std::string& profile) {
    auto found = invokers_.find(profile);
    if (!found) return found.error();
    if (found->writes_more) rescan();
    return found->invoker;
}

std::vector<const call::Invoker*> Host::invokers() {
    const auto all = invokers_.all();
    return {all.begin(), all.end()};
}

bool Host::reload_rules() {
    // Of two threads, the one that read the files first must not put its rules in force last.
    const MutexLock rereading(rereading_);
    const auto reread = invokers_.reread();
    const bool found_others = reread.writes_more && rescan();
    warn_of_allowlist();
    return reread.allows_others || found_others;
}

bool Host::rescan() {
    const MutexLock lock(scanning_);
    auto scan = scan_options(options_, folders_);
    scan.writable = invokers_.writable_folders();
    auto report = discovery::scan(scan);
    warn_of_report(report);
    // The targets of new links before their tools can be called, those of old links until theirs
    // cannot be called any more.
    const auto linked = linked_plugins(report);
    invokers_.protect_links(linked, true);
    const auto before = registry_.snapshot();
    if (auto filled = fill(std::move(report), scan); !filled) {
        options_.warn("cannot reload the plugins, keeping the old ones: " + filled.error().message);
        return false;
    }
    invokers_.protect_links(linked, false);
    const auto same = [](const registry::Tool& a, const registry::Tool& b) {
        return a.spec.name == b.spec.name && a.library->path == b.library->path &&
               a.library->identity == b.library->identity && a.usable() == b.usable();
    };
    return !std::ranges::equal(before->all(), registry_.snapshot()->all(), same);
}

CreateResult Host::create_tool(std::string_view spec, std::shared_ptr<loading::LocalCode> code) {
    auto tool = read_created_tool(spec, std::move(code));
    if (!tool) return tool.error();
    auto scan = scan_options(options_, folders_);
    scan.writable = invokers_.writable_folders();
    tool->missing = discovery::missing_requirements(tool->spec, scan);
    if (auto policy = invoker().view()->profile().own_policy(tool->spec); !policy)
        return CreateFault{"policy_invalid", policy.error().message};
    return created_.add(*std::move(tool));
}

bool Host::delete_tool(std::string_view name) {
    const auto gone = created_.remove(name);
    // Invokers keep the catalogue of their last call.
    for (auto* invoker : invokers_.all()) (void)invoker->view();
    return !gone.empty();
}

void Host::watch(std::function<void(bool changed)> looked) {
    watch_.emplace([this] { return discovery::folders_to_watch(folders_.plugins); },
                   [this, looked = std::move(looked)] { looked(rescan()); });
    if (!watch_->problem().empty()) options_.warn(watch_->problem());
}

void Host::scan_now() {
    if (watch_) watch_->trigger();
}

void Host::flush_events() {
    if (options_.events) options_.events->flush();
}

}  // namespace toolhost::core
