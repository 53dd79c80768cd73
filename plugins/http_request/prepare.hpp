// From what the caller and the operator said to a request and its rules.
#pragma once

#include "net/request.hpp"
#include "types.hpp"

namespace http_tool {

[[nodiscard]] Rules make_rules(const Policy& policy, toolhost::Context& context);
// Throws BadInput for what no schema can say, and denies what can be denied before anything is
// sent.
[[nodiscard]] Request make_request(const Input& in, const Policy& policy,
                                   toolhost::Context& context);

}  // namespace http_tool
