// The names tools have for clients: their own, or FAMILY.NAME where two families have the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/call/view.hpp"

namespace toolhost::serve {

// Every tool a client may call, one version each, in the catalogue's order.
[[nodiscard]] std::vector<std::pair<std::string, const registry::Tool*>> named_tools(
    const call::View& view);

// The reference a client's name for a tool means; references are fine, too.
[[nodiscard]] std::string reference_of(const std::string& name);

// Whether the error means an unknown tool.
[[nodiscard]] constexpr bool is_unknown(ErrorCode code) {
    return code == ErrorCode::unknown_tool || code == ErrorCode::ambiguous_tool ||
           code == ErrorCode::version_not_found;
}

}  // namespace toolhost::serve
