// grants.yml: the grants made by `toolhost grant`, which owns this file and replaces it as a whole.
// Grants written by hand belong in the config file beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/policy/grants.hpp"

namespace toolhost::policy {

// grants.yml beside config.yml, work.grants.yml beside work.yml: grants made under one config file
// must not apply under another one in the same folder. Empty without a config file.
[[nodiscard]] std::string grants_file(const std::string& config_file);

// A missing file has no grants. The file is found, not named by the user, so it must be a regular
// file, not a link, that belongs to the user or root and that others cannot write.
[[nodiscard]] Result<std::vector<Grant>> load_grants(const std::string& file);

// `file` is used in messages and places only.
[[nodiscard]] Result<std::vector<Grant>> parse_grants(std::string_view text,
                                                      const std::string& file);

// The content of the file.
[[nodiscard]] std::string grants_text(const std::vector<Grant>& grants);

}  // namespace toolhost::policy
