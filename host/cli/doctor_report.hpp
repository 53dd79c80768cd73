// What doctor found out, as JSON, and how it is printed.
#pragma once

#include "host/cli/session.hpp"

namespace toolhost::cli {

[[nodiscard]] Json examine_candidates(Session& session);

void print_report(const Json& report);

}  // namespace toolhost::cli
