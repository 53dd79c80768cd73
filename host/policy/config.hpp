// The user's config file: the profile, and further allowed tools and grants.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/policy/grants.hpp"

namespace toolhost::policy {

struct Config {
    std::string file;                // its path, even if it does not exist
    std::string profile;             // NAME or FILE; empty if not set
    std::vector<std::string> allow;  // references, as in TOOLHOST_ALLOW
    // From this file and grants_file(). They add to the profile's, unless the profile refuses them.
    std::vector<Grant> grants;
};

// Includes the grants made by `toolhost grant`. A missing file is an error only if `must_exist`.
[[nodiscard]] Result<Config> load_config(const std::string& path, bool must_exist);

// $XDG_CONFIG_HOME/toolhost/config.yml, or else ~/.config/toolhost/config.yml; empty if neither
// variable is set.
[[nodiscard]] std::string default_config_file();

// The folder profiles/ beside the config file.
[[nodiscard]] std::string profiles_folder(const std::string& config_file);

}  // namespace toolhost::policy
