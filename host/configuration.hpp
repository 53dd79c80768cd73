// The config file and the profile that a host runs under.
#pragma once

#include <string>
#include <vector>

#include "host/policy/config.hpp"
#include "host/policy/profile.hpp"

namespace toolhost {

// What the user asked for; the environment and the files fill in the rest.
struct ConfigChoice {
    std::string config;   // empty: the usual place
    std::string profile;  // name or file; empty: TOOLHOST_PROFILE, the config file, or "default"
};

struct LoadedConfig {
    policy::Config config;
    policy::ProfilePtr profile;
    std::vector<std::string> widened;  // TOOLHOST_ALLOW and the config file's `allow`
    std::string profile_name{};        // or its file
};

[[nodiscard]] Result<LoadedConfig> load_configuration(const ConfigChoice& choice);

// The same in two steps: everything but the profile, and a profile of that configuration.
[[nodiscard]] Result<LoadedConfig> load_config_file(const ConfigChoice& choice);
[[nodiscard]] Result<policy::ProfilePtr> load_profile_of(const LoadedConfig& configuration,
                                                         const std::string& name);

}  // namespace toolhost
