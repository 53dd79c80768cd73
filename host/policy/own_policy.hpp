// A tool's own policy, as its policySchema describes it.
#pragma once

#include <string>

#include "host/base/error.hpp"
#include "host/policy/layered_document.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::policy {

// The defaults of the tool's policySchema with the values of `own` over them, checked against that
// schema. `own`: what a profile's `policies` say of the tool, without the general limits. Errors
// that have no place in a document name `file`.
[[nodiscard]] Result<Json> check_own_policy(const LayeredDocument& own,
                                            const registry::ToolSpec& spec,
                                            const std::string& file);

}  // namespace toolhost::policy
