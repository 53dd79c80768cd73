// `toolhost test`: runs the checks against one library.
#pragma once

#include <set>
#include <string>

#include "host/validate/bench.hpp"
#include "host/validate/report.hpp"

namespace toolhost::validate {

// `only` contains ids of checks; empty for all. `load` always runs, because the others depend on
// it.
[[nodiscard]] Report validate(const std::string& library, bool own_folder,
                              const BenchOptions& options, const std::set<std::string>& only = {});

}  // namespace toolhost::validate
