// A tool's documentation page in Markdown, made from its spec alone.
#pragma once

#include <map>
#include <string>

#include "host/registry/tool_spec.hpp"

namespace toolhost::cli {

// "network, read, tools http_request"; "nothing".
[[nodiscard]] std::string needs_of(const registry::Needs& needs);

// The denial reasons declared in the tool's spec, and their meanings.
[[nodiscard]] std::map<std::string, std::string> denial_reasons(const registry::ToolSpec& spec);

[[nodiscard]] std::string tool_page(const registry::ToolSpec& spec);

}  // namespace toolhost::cli
