// A tool's page in Markdown, made of its spec alone.
#pragma once

#include <string>

#include "host/registry/tool_spec.hpp"

namespace toolhost::cli {

// "network, read"; "nothing".
[[nodiscard]] std::string needs_of(const registry::Needs& needs);

[[nodiscard]] std::string tool_page(const registry::ToolSpec& spec);

}  // namespace toolhost::cli
