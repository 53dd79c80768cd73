// What doctor found out, as JSON, and how it is printed.
#pragma once

#include "host/cli/open_host.hpp"

namespace toolhost::cli {

[[nodiscard]] Json examine_candidates(core::Host& host);

void print_report(const Json& report);

}  // namespace toolhost::cli
