// grants.yml: the grants that `toolhost grant` gave. toolhost owns this file and writes it as a
// whole; grants written by hand belong in the config file beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/policy/grants.hpp"

namespace toolhost::policy {

// grants.yml beside config.yml, work.grants.yml beside work.yml: a grant given under one config
// file must not apply under another one in the same folder. Empty: there is no config file.
[[nodiscard]] std::string grants_file(const std::string& config_file);

// A missing file has no grants. The file is found, not named by the user, so it must be a regular
// file, not a link, that belongs to the user or root and that others cannot write.
[[nodiscard]] Result<std::vector<Grant>> load_grants(const std::string& file);

// `file` is only the name for messages and places.
[[nodiscard]] Result<std::vector<Grant>> parse_grants(std::string_view text,
                                                      const std::string& file);

// The whole file.
[[nodiscard]] std::string grants_text(const std::vector<Grant>& grants);

}  // namespace toolhost::policy
