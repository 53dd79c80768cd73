// doctor --provider: what a model provider refuses in the tools.
#pragma once

#include <string>

#include "host/registry/catalogue.hpp"

namespace toolhost::cli {

// {"provider", "findings": [{"tool", "library", "pointer", "message"}]}; the name must be known.
[[nodiscard]] Json lint_schemas(const registry::Catalogue& catalogue, const std::string& provider);
void print_lint(const Json& lint);

}  // namespace toolhost::cli
