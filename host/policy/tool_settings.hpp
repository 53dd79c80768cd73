// Values that the operator sets for one tool, overriding the profile: `call --set`.
#pragma once

#include <string>
#include <vector>

#include "host/policy/profile.hpp"

namespace toolhost::policy {

// The settings of a tool as one object schema: the general settings and the properties of its
// policySchema. It determines the types of command-line values.
[[nodiscard]] Json settings_schema(const registry::ToolSpec& spec);

// The profile with `values` for this tool and version before its `policies`. `source` names their
// origin in messages ("--set"). An unknown key or an invalid value is an error.
[[nodiscard]] Result<ProfilePtr> with_settings(const Profile& profile,
                                               const registry::ToolSpec& spec, const Json& values,
                                               const std::string& source);

}  // namespace toolhost::policy
