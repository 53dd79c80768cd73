// Builds the request and its rules from the input and the policy.
#pragma once

#include "net/request.hpp"
#include "types.hpp"

namespace http_tool {

[[nodiscard]] Rules make_rules(const Policy& policy, toolhost::Context& context);
// Throws BadInput for errors that the schema cannot express, and denies what can be denied before
// anything is sent.
[[nodiscard]] Request make_request(const Input& in, const Policy& policy,
                                   toolhost::Context& context);

}  // namespace http_tool
