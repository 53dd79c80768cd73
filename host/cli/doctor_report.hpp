// Doctor's findings as JSON, and their printed form.
#pragma once

#include "host/cli/open_host.hpp"

namespace toolhost::cli {

[[nodiscard]] Json examine_candidates(core::Host& host);

void print_report(const Json& report);

}  // namespace toolhost::cli
