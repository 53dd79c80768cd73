// doctor --provider: what a provider of models refuses in the tools.
#pragma once

#include <string>

#include "host/registry/catalogue.hpp"

namespace toolhost::cli {

// {"provider", "findings": [{"tool", "library", "pointer", "message"}]}; the name is a known one.
[[nodiscard]] Json lint_schemas(const registry::Catalogue& catalogue, const std::string& provider);
void print_lint(const Json& lint);

}  // namespace toolhost::cli
