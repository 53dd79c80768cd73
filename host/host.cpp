#include "host/host.hpp"

#include <spdlog/logger.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem/operations.hpp>
#include <cstdlib>

#include "host/call/tool_confinement.hpp"
#include "host/host_files.hpp"
#include "host/policy/profile_files.hpp"
#include "host/policy/tool_settings.hpp"

namespace toolhost::core {
namespace {

bool is_same(const call::HostFile& a, const call::HostFile& b) {
    return a.path == b.path && a.called == b.called;
}

// Adds the folders that any tool may write under the profile, with any of its grants.
void add_writable(std::vector<std::string>& folders, const policy::Profile& profile,
                  const std::vector<policy::Grant>& users) {
    const auto workspace = call::workspace_of(profile);
    folders.push_back(workspace);
    for (const auto* grants : {&profile.grants(), &users})
        for (const auto& grant : *grants)
            if (!grant.word.path.empty())
                folders.push_back(call::granted_path(grant.word.path, workspace));
}

discovery::ScanOptions scan_options(const HostOptions& options, const discovery::Folders& folders,
                                    const LoadedConfig& configuration, bool retry_refused) {
    discovery::ScanOptions scan;
    scan.folders = folders.plugins;
    scan.cache = options.no_cache ? "" : folders.cache;
    scan.probe.program = options.program;
    scan.probe.deadline = options.probe_timeout;
    scan.retry_refused = retry_refused;
    add_writable(scan.writable, *configuration.profile, configuration.config.grants);
    return scan;
}

call::InvokerOptions invoker_options(call::Rules rules,
                                     const std::shared_ptr<spdlog::logger>& events) {
    const char* bypass = std::getenv("BYPASS_TOOL_CONSENT");
    return {std::move(rules), bypass && std::string_view(bypass) == "true", call::Events(events)};
}

}  // namespace

Result<std::unique_ptr<Host>> Host::open(HostOptions options) {
    if (options.program.empty()) options.program = boost::dll::program_location().string();
    std::string problem;
    auto configuration = load_configuration(options.config);
    if (!configuration) {
        if (!options.allow_invalid_profile) return configuration.error();
        problem = configuration.error().message;
        configuration = LoadedConfig{{}, policy::built_in_profile(), {}, {}};
    }
    options.plugins.program = options.program;
    auto folders = discovery::find_folders(options.plugins);
    const auto scan = scan_options(options, folders, *configuration, options.retry_refused);
    auto report = discovery::scan(scan);
    const auto profile = configuration->profile;
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
      shipped_(discovery::shipped_plugins(options_.program)),
      profile_files_(profile_files(*configuration.profile)),
      linked_plugins_(linked_plugins(report)),
      runtime_({options_.program, folders_.cache.empty() ? "" : folders_.cache + "/libraries",
                folders_.quarantine()}),
      invoker_(registry_, runtime_,
               invoker_options(rules_under(configuration, configuration.profile), options_.events)),
      configuration_(std::move(configuration)) {}

Host::~Host() {
    stop_watching();
    spdlog::debug("host: loaded={}", runtime_.in_process().loaded());
}

Result<void> Host::fill(discovery::ScanReport report, const discovery::ScanOptions& scan) {
    auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
        auto found = discovery::take_tools(report, scan);
        {
            MutexLock lock(mutex_);
            draft = created_;
        }
        for (auto& tool : draft) tool.missing = discovery::missing_requirements(tool.spec, scan);
        MutexLock lock(mutex_);
        created_ = draft;  // modified by registry changes only
        std::ranges::move(found, std::back_inserter(draft));
        return {};
    });
    MutexLock lock(mutex_);
    report_ = std::move(report);
    if (!filled) return filled.error();
    return {};
}

void Host::warn_of_report(const discovery::ScanReport& report) const {
    for (const auto& warning : report.warnings) warn(warning);
    for (const auto& folder : report.folders)
        if (!folder.problem.empty())
            warn("folder " + folder.folder + " cannot be read: " + folder.problem);
}

void Host::warn_of_tools() {
    for (const auto* named : {&options_.plugins.added, &options_.plugins.only})
        for (const auto& folder : *named)
            if (boost::system::error_code fault; !boost::filesystem::exists(folder, fault))
                warn("folder " + folder + " does not exist");
    for (const auto& warning : invoker_.view()->allowlist().warnings()) warn(warning);
    for (const auto& hidden : catalogue()->shadowed())
        warn("tool '" + hidden.tool.spec.name + "' " + hidden.tool.spec.version.text() + " of " +
             hidden.tool.library->origin() + " is shadowed by " + hidden.by);
}

call::Rules Host::rules_under(const LoadedConfig& configuration, policy::ProfilePtr profile) const {
    auto files = host_files(configuration.config, folders_, options_.program);
    for (const auto* more : {&profile_files_, &linked_plugins_, &options_.files})
        files.insert(files.end(), more->begin(), more->end());
    return {std::move(profile),
            {configuration.widened, configuration.config.grants,
             [shipped = shipped_](const std::string& library) {
                 return discovery::is_in_folder(library, shipped);
             },
             std::move(files)}};
}

bool Host::protect(const std::vector<call::HostFile>& files) {
    const auto before = profile_files_.size();
    for (const auto& file : files)
        if (std::ranges::none_of(profile_files_,
                                 [&](const auto& known) { return is_same(known, file); }))
            profile_files_.push_back(file);
    return profile_files_.size() > before;
}

void Host::renew_rules() {
    const auto renew = [this](call::Invoker& invoker) REQUIRES(mutex_) {
        invoker.use(rules_under(configuration_, invoker.rules()->profile));
    };
    renew(invoker_);
    for (const auto& [profile, invoker] : others_) renew(*invoker);
}

std::vector<std::string> Host::writable_folders() {
    std::vector<std::string> folders;
    const auto& users = configuration_.config.grants;
    add_writable(folders, *invoker_.rules()->profile, users);
    for (const auto& [profile, invoker] : others_)
        add_writable(folders, *invoker->rules()->profile, users);
    return folders;
}

Result<void> Host::set_policy(const registry::ToolSpec& spec, const Json& values,
                              const std::string& source) {
    MutexLock lock(mutex_);
    auto changed = policy::with_settings(*configuration_.profile, spec, values, source);
    if (!changed) return changed.error();
    configuration_.profile = *std::move(changed);
    invoker_.use(rules_under(configuration_, configuration_.profile));
    return {};
}

Result<call::Invoker*> Host::invoker_of(const std::string& profile) {
    if (profile.empty()) return &invoker_;
    call::Invoker* added = nullptr;
    bool writes_more = false;
    {
        MutexLock lock(mutex_);
        if (const auto it = others_.find(profile); it != others_.end()) return it->second.get();
        auto loaded = usable_profile(configuration_, profile);
        // No tool may be able to fix an unusable profile.
        const bool is_new = loaded ? protect(profile_files(**loaded))
                            : policy::is_file_name(profile)
                                ? protect({host_file(profile, "its profiles")})
                                : false;
        if (is_new) renew_rules();
        if (!loaded) return loaded.error();
        const auto known = writable_folders();
        auto rules = rules_under(configuration_, *std::move(loaded));
        auto& other = others_[profile] = std::make_unique<call::Invoker>(
            registry_, runtime_, invoker_options(std::move(rules), options_.events));
        added = other.get();
        writes_more = std::ranges::any_of(writable_folders(), [&](const auto& folder) {
            return std::ranges::find(known, folder) == known.end();
        });
    }
    if (writes_more) rescan();
    return added;
}

std::vector<const call::Invoker*> Host::invokers() {
    MutexLock lock(mutex_);
    std::vector<const call::Invoker*> all{&invoker_};
    for (const auto& [profile, invoker] : others_) all.push_back(invoker.get());
    return all;
}

Result<policy::ProfilePtr> Host::usable_profile(const LoadedConfig& configuration,
                                                const std::string& name) const {
    auto loaded = load_profile_of(configuration, name);
    if (!loaded) return loaded;
    if (auto fits = call::check_policies(*catalogue(), **loaded); !fits) return fits.error();
    return loaded;
}

bool Host::reload_rules() {
    // Serialized, so that a thread with older files cannot replace newer rules.
    const MutexLock reloading(reloading_);
    auto warn_unchanged = [this](const std::string& what, const Error& error) {
        warn("cannot reload " + what + ", keeping the old one: " + error.message);
    };
    auto read = load_config_file(options_.config);
    if (!read) warn_unchanged("the config file", read.error());
    LoadedConfig now;
    std::map<std::string, call::Invoker*> all;  // by profile
    std::vector<std::string> wrote;
    {
        MutexLock lock(mutex_);
        wrote = writable_folders();
        if (read) {
            read->profile = configuration_.profile;
            configuration_ = *std::move(read);
        }
        now = configuration_;
    }
    bool changed = false, has_files = false;
    // An unusable profile must not prevent the reload of the others: a revoked grant must take
    // effect despite an error elsewhere.
    auto renew = [&](call::Invoker& invoker, const std::string& profile) {
        const auto before = invoker.view();
        auto loaded = usable_profile(now, profile);
        if (!loaded) warn_unchanged("profile '" + profile + '\'', loaded.error());
        auto in_force = loaded ? *std::move(loaded) : before->rules()->profile;
        {
            MutexLock lock(mutex_);
            has_files |= protect(profile_files(*in_force));
            invoker.use(rules_under(now, in_force));
        }
        changed |= invoker.view()->allowlist().references() != before->allowlist().references();
        return in_force;
    };
    now.profile = renew(invoker_, now.profile_name);
    {
        MutexLock lock(mutex_);
        configuration_.profile = now.profile;
        for (const auto& [profile, invoker] : others_) all[profile] = invoker.get();
    }
    for (const auto& [profile, invoker] : all) renew(*invoker, profile);
    bool writes_more = false;
    {
        MutexLock lock(mutex_);
        if (has_files) renew_rules();
        writes_more = writable_folders() != wrote;
    }
    if (writes_more) changed |= rescan();
    for (const auto& warning : invoker_.view()->allowlist().warnings()) warn(warning);
    return changed;
}

bool Host::rescan() {
    MutexLock lock(scanning_);
    discovery::ScanOptions scan;
    {
        MutexLock rules(mutex_);
        scan = scan_options(options_, folders_, configuration_, false);
        scan.writable = writable_folders();
    }
    auto report = discovery::scan(scan);
    warn_of_report(report);
    const auto protect_links = [this](std::vector<call::HostFile> files, bool and_known) {
        MutexLock rules(mutex_);
        if (and_known)
            for (const auto& known : linked_plugins_)
                if (std::ranges::none_of(files, [&](const auto& f) { return is_same(f, known); }))
                    files.push_back(known);
        if (std::ranges::equal(files, linked_plugins_, is_same)) return;
        linked_plugins_ = std::move(files);
        renew_rules();
    };
    // Protects the targets of new links before their tools can be called, and those of old links
    // until their tools can no longer be called.
    const auto linked = linked_plugins(report);
    protect_links(linked, true);
    const auto before = registry_.snapshot();
    if (auto filled = fill(std::move(report), scan); !filled) {
        warn("cannot reload the plugins, keeping the old ones: " + filled.error().message);
        return false;
    }
    protect_links(linked, false);
    const auto same = [](const registry::Tool& a, const registry::Tool& b) {
        return a.spec.name == b.spec.name && a.library->path == b.library->path &&
               a.library->identity == b.library->identity && a.usable() == b.usable();
    };
    return !std::ranges::equal(before->all(), registry_.snapshot()->all(), same);
}

CreateResult Host::create_tool(std::string_view spec, std::shared_ptr<loading::LocalCode> code) {
    auto tool = read_created_tool(spec, std::move(code));
    if (!tool) return tool.error();
    discovery::ScanOptions scan;
    {
        MutexLock lock(mutex_);
        scan = scan_options(options_, folders_, configuration_, false);
        scan.writable = writable_folders();
    }
    tool->missing = discovery::missing_requirements(tool->spec, scan);
    if (auto policy = invoker_.view()->profile().own_policy(tool->spec); !policy)
        return CreateFault{"policy_invalid", policy.error().message};
    std::optional<CreateFault> clash;
    auto added = registry_.change([&](registry::Draft& draft) -> Result<void> {
        if ((clash = find_clash(draft, tool->spec))) return Error{};
        draft.insert(draft.begin(), *tool);
        MutexLock lock(mutex_);
        created_.push_back(*std::move(tool));
        return {};
    });
    if (clash) return *std::move(clash);
    if (!added) return CreateFault{"internal", added.error().message};
    return {};
}

bool Host::delete_tool(std::string_view name) {
    // Destroyed without a lock: the last owner of a tool runs the embedder's code.
    registry::Draft gone;
    bool found = false;
    const auto is_it = [name](const registry::Tool& tool) {
        return tool.library->embedded && tool.spec.name == name;
    };
    auto changed = registry_.change([&](registry::Draft& draft) -> Result<void> {
        found = std::erase_if(draft, is_it) > 0;
        MutexLock lock(mutex_);
        const auto kept = std::stable_partition(created_.begin(), created_.end(),
                                                [&](const auto& tool) { return !is_it(tool); });
        std::move(kept, created_.end(), std::back_inserter(gone));
        created_.erase(kept, created_.end());
        return {};
    });
    // Invokers keep the catalogue of their last call.
    std::vector<call::Invoker*> all{&invoker_};
    {
        MutexLock lock(mutex_);
        for (const auto& [profile, invoker] : others_) all.push_back(invoker.get());
    }
    for (auto* invoker : all) (void)invoker->view();
    return changed && found;
}

void Host::watch(std::function<void(bool changed)> rescanned) {
    watch_.emplace(folders_.plugins,
                   [this, rescanned = std::move(rescanned)] { rescanned(rescan()); });
    if (!watch_->problem().empty()) warn(watch_->problem());
}

void Host::scan_now() {
    if (watch_) watch_->trigger();
}

void Host::flush_events() {
    if (options_.events) options_.events->flush();
}

}  // namespace toolhost::core
