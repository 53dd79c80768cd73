// The config file and the profile of a host.
#pragma once

#include <string>
#include <vector>

#include "host/policy/config.hpp"
#include "host/policy/profile.hpp"

namespace toolhost {

// The user's choice; the environment and the files supply the rest.
struct ConfigChoice {
    std::string config;   // empty for the default file
    std::string profile;  // name or file; empty: TOOLHOST_PROFILE, the config file, or "default"
};

struct LoadedConfig {
    policy::Config config;
    policy::ProfilePtr profile;
    std::vector<std::string> widened;  // TOOLHOST_ALLOW and the config file's `allow`
    std::string profile_name{};        // name or file
};

[[nodiscard]] Result<LoadedConfig> load_configuration(const ConfigChoice& choice);

// Loads everything except the profile, then a profile of that configuration.
[[nodiscard]] Result<LoadedConfig> load_config_file(const ConfigChoice& choice);
[[nodiscard]] Result<policy::ProfilePtr> load_profile_of(const LoadedConfig& configuration,
                                                         const std::string& name);

}  // namespace toolhost
