// Values that the operator sets for one tool over the profile: `call --set`.
#pragma once

#include <string>
#include <vector>

#include "host/policy/profile.hpp"

namespace toolhost::policy {

// What can be set for a tool: the general knobs and the properties of its policySchema, as one
// object schema. Words of a command line are typed by it.
[[nodiscard]] Json settings_schema(const registry::ToolSpec& spec);

// The profile with `values` for this tool and version in front of what `policies` says. `source`
// names where they come from in messages ("--set"). Refused, with a sentence: an unknown key, a
// value that does not fit.
[[nodiscard]] Result<ProfilePtr> with_settings(const Profile& profile,
                                               const registry::ToolSpec& spec, const Json& values,
                                               const std::string& source);

}  // namespace toolhost::policy
