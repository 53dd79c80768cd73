#include "host/cli/session.hpp"

#include <spdlog/logger.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem/operations.hpp>
#include <cstdlib>
#include <iostream>

#include "host/call/tool_confinement.hpp"
#include "host/cli/host_files.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/policy/tool_settings.hpp"

namespace toolhost::cli {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// Where tools may write under the profile, whichever tool and grant.
void add_writable(std::vector<std::string>& folders, const policy::Profile& profile,
                  const std::vector<policy::Grant>& users) {
    const auto workspace = call::workspace_of(profile);
    folders.push_back(workspace);
    for (const auto* grants : {&profile.grants(), &users})
        for (const auto& grant : *grants)
            if (!grant.word.path.empty())
                folders.push_back(call::granted_path(grant.word.path, workspace));
}

discovery::ScanOptions scan_options(const Options& options, const discovery::Folders& folders,
                                    const LoadedConfig& configuration, bool retry_refused) {
    discovery::ScanOptions scan;
    scan.folders = folders.plugins;
    scan.cache = options.no_cache ? "" : folders.cache;
    scan.probe.program = boost::dll::program_location().string();
    scan.probe.deadline = std::chrono::milliseconds(options.probe_timeout_ms);
    scan.retry_refused = retry_refused;
    add_writable(scan.writable, *configuration.profile, configuration.config.grants);
    return scan;
}

call::InvokerOptions invoker_options(call::Rules rules,
                                     const std::shared_ptr<spdlog::logger>& events) {
    return {std::move(rules), environment("BYPASS_TOOL_CONSENT") == "true", call::Events(events)};
}

Result<LoadedConfig> load_choices(const Options& options) {
    LoadedConfig out;
    const bool named = !options.config.empty();
    auto config =
        policy::load_config(named ? options.config : policy::default_config_file(), named);
    if (!config) return config.error();
    out.config = *std::move(config);
    out.widened = policy::parse_allow(environment("TOOLHOST_ALLOW"));
    out.widened.insert(out.widened.end(), out.config.allow.begin(), out.config.allow.end());
    out.profile_name = options.profile;
    if (out.profile_name.empty()) out.profile_name = environment("TOOLHOST_PROFILE");
    if (out.profile_name.empty()) out.profile_name = out.config.profile;
    if (out.profile_name.empty()) out.profile_name = "default";
    return out;
}

Result<policy::ProfilePtr> load_profile_of(const LoadedConfig& configuration,
                                           const std::string& name) {
    return policy::load_profile(name, policy::profiles_folder(configuration.config.file));
}

}  // namespace

Result<LoadedConfig> load_configuration(const Options& options) {
    auto out = load_choices(options);
    if (!out) return out;
    auto profile = load_profile_of(*out, out->profile_name);
    if (!profile) return profile.error();
    out->profile = *std::move(profile);
    return out;
}

call::Rules Session::rules_under(const LoadedConfig& configuration,
                                 policy::ProfilePtr profile) const {
    auto files = host_files(configuration.config, *profile, folders_);
    if (configuration.profile && configuration.profile != profile)
        for (auto& file : host_files(configuration.config, *configuration.profile, folders_))
            files.push_back(std::move(file));
    files.insert(files.end(), files_.begin(), files_.end());
    return {std::move(profile),
            {configuration.widened, configuration.config.grants, discovery::is_shipped,
             std::move(files)}};
}

LoadedConfig Session::govern(const Options& options, bool forgive) {
    auto configuration = load_configuration(options);
    if (configuration) return *std::move(configuration);
    if (!forgive) throw SessionFault{configuration.error()};
    profile_problem_ = configuration.error().message;
    return {{}, policy::built_in_profile(), {}, {}};
}

Session::Session(const Options& options, const SessionOptions& wanted)
    : options_(options),
      configuration_(govern(options, wanted.forgive_profile)),
      folders_(discovery::find_folders({options.plugins, options.only_plugins})),
      report_(
          discovery::scan(scan_options(options, folders_, configuration_, wanted.retry_refused))),
      runtime_({boost::dll::program_location().string(),
                folders_.cache.empty() ? "" : folders_.cache + "/libraries",
                folders_.quarantine()}),
      events_(wanted.events),
      files_(wanted.files),
      invoker_(registry_, runtime_,
               invoker_options(rules_under(configuration_, configuration_.profile), events_)) {
    report_problems();
    const auto scan = scan_options(options, folders_, configuration_, wanted.retry_refused);
    auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report_, scan);
        return {};
    });
    if (!filled) throw std::logic_error(filled.error().message);
    if (auto fits = call::check_policies(*catalogue(), *configuration_.profile); !fits) {
        if (!wanted.forgive_profile) throw SessionFault{fits.error()};
        profile_problem_ = fits.error().message;
    }
    for (const auto* named : {&options.plugins, &options.only_plugins})
        for (const auto& folder : *named)
            if (boost::system::error_code fault; !boost::filesystem::exists(folder, fault))
                spdlog::warn("folder {} does not exist", folder);
    for (const auto& complaint : invoker_.view()->allowlist().complaints())
        spdlog::warn("{}", complaint);
    for (const auto& hidden : catalogue()->shadowed())
        spdlog::warn("tool '{}' {} of {} is shadowed by {}", hidden.tool.spec.name,
                     hidden.tool.spec.version.text(), hidden.tool.library->path, hidden.by);
}

void Session::report_problems() const {
    for (const auto& complaint : report_.complaints) spdlog::warn("{}", complaint);
    for (const auto& folder : report_.folders)
        if (!folder.problem.empty())
            spdlog::warn("folder {} cannot be read: {}", folder.folder, folder.problem);
}

Result<void> Session::set_policy(const registry::ToolSpec& spec, const Json& values,
                                 const std::string& source) {
    auto changed = policy::with_settings(*configuration_.profile, spec, values, source);
    if (!changed) return changed.error();
    configuration_.profile = *std::move(changed);
    invoker_.use(rules_under(configuration_, configuration_.profile));
    return {};
}

Result<call::Invoker*> Session::invoker_of(const std::string& profile) {
    if (profile.empty()) return &invoker_;
    MutexLock lock(mutex_);
    if (const auto it = others_.find(profile); it != others_.end()) return it->second.get();
    auto loaded = fitting_profile(configuration_, profile);
    if (!loaded) return loaded.error();
    auto rules = rules_under(configuration_, *std::move(loaded));
    return (others_[profile] = std::make_unique<call::Invoker>(
                registry_, runtime_, invoker_options(std::move(rules), events_)))
        .get();
}

Result<policy::ProfilePtr> Session::fitting_profile(const LoadedConfig& configuration,
                                                    const std::string& name) const {
    auto loaded = load_profile_of(configuration, name);
    if (!loaded) return loaded;
    if (auto fits = call::check_policies(*catalogue(), **loaded); !fits) return fits.error();
    return loaded;
}

bool Session::reread_rules() {
    auto stays = [](const std::string& what, const Error& error) {
        spdlog::warn("cannot reload {}, keeping the old one: {}", what, error.message);
    };
    auto read = load_choices(options_);
    if (!read) stays("the config file", read.error());
    LoadedConfig now;
    std::map<std::string, call::Invoker*> all;  // by profile; those made later are under `now`
    {
        MutexLock lock(mutex_);
        if (read) {
            read->profile = configuration_.profile;
            configuration_ = *std::move(read);
        }
        now = configuration_;
        for (const auto& [profile, invoker] : others_) all[profile] = invoker.get();
    }
    bool changed = false;
    // An unusable profile must not prevent the reload of the others: a revoked grant must end
    // despite an error elsewhere.
    auto renew = [&](call::Invoker& invoker, const std::string& profile) {
        const auto before = invoker.view();
        auto loaded = fitting_profile(now, profile);
        if (!loaded) stays("profile '" + profile + '\'', loaded.error());
        auto in_force = loaded ? *std::move(loaded) : before->rules()->profile;
        invoker.use(rules_under(now, in_force));
        changed |= invoker.view()->allowlist().references() != before->allowlist().references();
        return in_force;
    };
    const auto own = renew(invoker_, now.profile_name);
    for (const auto& [profile, invoker] : all) renew(*invoker, profile);
    for (const auto& complaint : invoker_.view()->allowlist().complaints())
        spdlog::warn("{}", complaint);
    MutexLock lock(mutex_);
    configuration_.profile = own;
    return changed;
}

std::vector<const call::Invoker*> Session::invokers() {
    MutexLock lock(mutex_);
    std::vector<const call::Invoker*> all{&invoker_};
    for (const auto& [profile, invoker] : others_) all.push_back(invoker.get());
    return all;
}

bool Session::rescan() {
    MutexLock lock(scanning_);
    discovery::ScanOptions scan;
    {
        MutexLock rules(mutex_);
        scan = scan_options(options_, folders_, configuration_, false);
        for (const auto& [profile, invoker] : others_)
            add_writable(scan.writable, invoker->view()->profile(), {});
    }
    report_ = discovery::scan(scan);
    report_problems();
    const auto before = registry_.snapshot();
    auto changed = registry_.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report_, scan);
        return {};
    });
    if (!changed) {
        spdlog::warn("cannot reload the plugins, keeping the old ones: {}",
                     changed.error().message);
        return false;
    }
    const auto same = [](const registry::Tool& a, const registry::Tool& b) {
        return a.spec.name == b.spec.name && a.library->path == b.library->path &&
               a.library->identity == b.library->identity && a.usable() == b.usable();
    };
    return !std::ranges::equal(before->all(), (*changed)->all(), same);
}

void Session::flush_events() {
    if (events_) events_->flush();
}

void Session::end_if_overdue(Exit code) {
    if (runtime_.in_process().overdue() == 0) return;
    results().flush();
    flush_events();
    spdlog::default_logger()->flush();
    ::_exit(static_cast<int>(code));
}

Session::~Session() {
    spdlog::debug("session: loaded={}", runtime_.in_process().loaded());
}

Exit print_error(const Error& error) {
    std::cerr << "toolhost: " << printable(error.message) << '\n';
    return exit_of(error);
}

}  // namespace toolhost::cli
