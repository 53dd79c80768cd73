#include "host/configuration.hpp"

#include "host/base/environment.hpp"
#include "host/policy/allowlist.hpp"
#include "host/policy/profile_files.hpp"

namespace toolhost {
Result<LoadedConfig> load_config_file(const ConfigChoice& choice) {
    LoadedConfig out;
    const bool named = !choice.config.empty();
    auto config = policy::load_config(named ? choice.config : policy::default_config_file(), named);
    if (!config) return config.error();
    out.config = *std::move(config);
    out.widened = policy::parse_allow(environment("TOOLHOST_ALLOW"));
    out.widened.insert(out.widened.end(), out.config.allow.begin(), out.config.allow.end());
    out.profile_name = choice.profile;
    if (out.profile_name.empty()) out.profile_name = environment("TOOLHOST_PROFILE");
    if (out.profile_name.empty()) out.profile_name = out.config.profile;
    if (out.profile_name.empty()) out.profile_name = "default";
    return out;
}

Result<policy::ProfilePtr> load_profile_of(const LoadedConfig& configuration,
                                           const std::string& name) {
    return policy::load_profile(name, policy::profiles_folder(configuration.config.file));
}

Result<LoadedConfig> load_configuration(const ConfigChoice& choice) {
    auto out = load_config_file(choice);
    if (!out) return out;
    auto profile = load_profile_of(*out, out->profile_name);
    if (!profile) return profile.error();
    out->profile = *std::move(profile);
    return out;
}

}  // namespace toolhost
