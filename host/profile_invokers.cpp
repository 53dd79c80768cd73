#include "host/profile_invokers.hpp"

#include <algorithm>

#include "host/base/environment.hpp"
#include "host/host_files.hpp"
#include "host/policy/profile_files.hpp"
#include "host/policy/tool_settings.hpp"

namespace toolhost::core {
namespace {

bool is_same(const call::HostFile& a, const call::HostFile& b) {
    return a.path == b.path && a.called == b.called;
}

bool contains(const std::vector<call::HostFile>& files, const call::HostFile& file) {
    return std::ranges::any_of(files, [&](const auto& other) { return is_same(other, file); });
}

call::InvokerOptions invoker_options(call::Rules rules,
                                     const std::shared_ptr<spdlog::logger>& events) {
    return {std::move(rules), environment("BYPASS_TOOL_CONSENT") == "true", call::Events(events)};
}

}  // namespace

ProfileInvokers::ProfileInvokers(const Parts& parts, LoadedConfig configuration,
                                 std::vector<call::HostFile> links)
    : parts_(parts),
      shipped_(discovery::shipped_plugins(parts.options.program)),
      profile_files_(profile_files(*configuration.profile)),
      linked_plugins_(std::move(links)),
      own_(
          parts.registry, parts.runtime,
          invoker_options(rules_under(configuration, configuration.profile), parts.options.events)),
      configuration_(std::move(configuration)) {}

call::Rules ProfileInvokers::rules_under(const LoadedConfig& configuration,
                                         policy::ProfilePtr profile) const {
    auto files = host_files(configuration.config, parts_.folders, parts_.options.program);
    for (const auto* more : {&profile_files_, &linked_plugins_, &parts_.options.files})
        files.insert(files.end(), more->begin(), more->end());
    return {std::move(profile),
            {configuration.widened, configuration.config.grants,
             [shipped = shipped_](const std::string& library) {
                 return discovery::is_in_folder(library, shipped);
             },
             std::move(files)}};
}

bool ProfileInvokers::protect(const std::vector<call::HostFile>& files) {
    const auto before = profile_files_.size();
    for (const auto& file : files)
        if (!contains(profile_files_, file)) profile_files_.push_back(file);
    return profile_files_.size() > before;
}

void ProfileInvokers::renew_rules() {
    const auto renew = [this](call::Invoker& invoker) REQUIRES(mutex_) {
        invoker.use(rules_under(configuration_, invoker.rules()->profile));
    };
    renew(own_);
    for (const auto& [profile, invoker] : others_) renew(*invoker);
}

void ProfileInvokers::protect_links(std::vector<call::HostFile> files, bool and_known) {
    MutexLock lock(mutex_);
    if (and_known)
        for (const auto& known : linked_plugins_)
            if (!contains(files, known)) files.push_back(known);
    if (std::ranges::equal(files, linked_plugins_, is_same)) return;
    linked_plugins_ = std::move(files);
    renew_rules();
}

std::vector<std::string> ProfileInvokers::all_writable() const {
    const auto& users = configuration_.config.grants;
    auto folders = toolhost::writable_folders(*own_.rules()->profile, users);
    for (const auto& [profile, invoker] : others_)
        std::ranges::move(toolhost::writable_folders(*invoker->rules()->profile, users),
                          std::back_inserter(folders));
    return folders;
}

std::vector<std::string> ProfileInvokers::writable_folders() const {
    MutexLock lock(mutex_);
    return all_writable();
}

Result<void> ProfileInvokers::set_policy(const registry::ToolSpec& spec, const Json& values,
                                         const std::string& source) {
    MutexLock lock(mutex_);
    auto changed = policy::with_settings(*configuration_.profile, spec, values, source);
    if (!changed) return changed.error();
    configuration_.profile = *std::move(changed);
    own_.use(rules_under(configuration_, configuration_.profile));
    return {};
}

Result<ProfileInvokers::Found> ProfileInvokers::find(const std::string& profile) {
    if (profile.empty()) return Found{&own_, false};
    MutexLock lock(mutex_);
    if (const auto it = others_.find(profile); it != others_.end())
        return Found{it->second.get(), false};
    auto loaded = fitting_profile(configuration_, profile);
    // No tool may make a profile usable that is not.
    const bool is_new = loaded ? protect(profile_files(**loaded))
                        : policy::is_file_name(profile)
                            ? protect({host_file(profile, "its profiles")})
                            : false;
    if (is_new) renew_rules();
    if (!loaded) return loaded.error();
    const auto known = all_writable();
    auto rules = rules_under(configuration_, *std::move(loaded));
    auto& added = others_[profile] = std::make_unique<call::Invoker>(
        parts_.registry, parts_.runtime, invoker_options(std::move(rules), parts_.options.events));
    const bool writes_more = std::ranges::any_of(all_writable(), [&](const auto& folder) {
        return std::ranges::find(known, folder) == known.end();
    });
    return Found{added.get(), writes_more};
}

std::vector<call::Invoker*> ProfileInvokers::all() {
    MutexLock lock(mutex_);
    std::vector<call::Invoker*> all{&own_};
    for (const auto& [profile, invoker] : others_) all.push_back(invoker.get());
    return all;
}

Result<policy::ProfilePtr> ProfileInvokers::fitting_profile(const LoadedConfig& configuration,
                                                            const std::string& name) const {
    auto loaded = load_profile_of(configuration, name);
    if (!loaded) return loaded;
    if (auto fits = call::check_policies(*parts_.registry.snapshot(), **loaded); !fits)
        return fits.error();
    return loaded;
}

void ProfileInvokers::warn_of_unusable(const std::string& what, const Error& error) const {
    parts_.options.warn("cannot reload " + what + ", keeping the old one: " + error.message);
}

ProfileInvokers::Reread ProfileInvokers::reread() {
    auto read = load_config_file(parts_.options.config);
    if (!read) warn_of_unusable("the config file", read.error());
    LoadedConfig now;
    std::map<std::string, call::Invoker*> others;  // by profile
    std::vector<std::string> wrote;
    {
        MutexLock lock(mutex_);
        wrote = all_writable();
        if (read) {
            read->profile = configuration_.profile;
            configuration_ = *std::move(read);
        }
        now = configuration_;
    }
    Reread out;
    bool has_files = false;
    // An unusable profile must not prevent the reload of the others: a revoked grant must end
    // despite an error elsewhere.
    auto renew = [&](call::Invoker& invoker, const std::string& profile) {
        const auto before = invoker.view();
        auto loaded = fitting_profile(now, profile);
        if (!loaded) warn_of_unusable("profile '" + profile + '\'', loaded.error());
        auto in_force = loaded ? *std::move(loaded) : before->rules()->profile;
        {
            MutexLock lock(mutex_);
            has_files |= protect(profile_files(*in_force));
            invoker.use(rules_under(now, in_force));
        }
        out.allows_others |=
            invoker.view()->allowlist().references() != before->allowlist().references();
        return in_force;
    };
    now.profile = renew(own_, now.profile_name);
    {
        MutexLock lock(mutex_);
        configuration_.profile = now.profile;
        for (const auto& [profile, invoker] : others_) others[profile] = invoker.get();
    }
    for (const auto& [profile, invoker] : others) renew(*invoker, profile);
    MutexLock lock(mutex_);
    if (has_files) renew_rules();
    out.writes_more = all_writable() != wrote;
    return out;
}

}  // namespace toolhost::core
