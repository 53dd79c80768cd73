// Which resources there are for a client: those that libraries offer, and the documentation of each
// tool.
#pragma once

#include <string>
#include <string_view>

#include "host/serve/request.hpp"

namespace toolhost::serve {

// Where documentation is; behind it comes the tool's name.
inline constexpr std::string_view kPages = "toolhost://tools/";

// The tool whose documentation has that uri; null: none that the client may call.
[[nodiscard]] const registry::Tool* find_page(const call::View& view, const std::string& uri);

// Whether some tool provides the resource, and the client may call that tool.
[[nodiscard]] bool is_readable(const call::View& view, const std::string& uri);

[[nodiscard]] RpcError resource_not_found(const Request& request, const std::string& uri);

}  // namespace toolhost::serve
