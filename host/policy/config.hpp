// The user's config file: which profile, and what is allowed and granted besides it.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/policy/grants.hpp"

namespace toolhost::policy {

struct Config {
    std::string file;                // where it is, or would be
    std::string profile;             // NAME or FILE; empty: not said
    std::vector<std::string> allow;  // references, as in TOOLHOST_ALLOW
    // Of this file and of grants_file(); in force beside the profile's, unless that refuses them.
    std::vector<Grant> grants;
};

// With the grants that `toolhost grant` gave. A missing file is an error only if it must exist.
[[nodiscard]] Result<Config> load_config(const std::string& path, bool must_exist);

// $XDG_CONFIG_HOME/toolhost/config.yml, else ~/.config/toolhost/config.yml; empty: there is no
// home either.
[[nodiscard]] std::string default_config_file();

// profiles/ beside the config file.
[[nodiscard]] std::string profiles_folder(const std::string& config_file);

}  // namespace toolhost::policy
