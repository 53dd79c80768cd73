// doctor: every candidate of the plugin folders, as JSON.
#pragma once

#include "host/host.hpp"

namespace toolhost::cli {

// [{"path", "status", "tools", "reason"?, "message"?, "advice"?, ...}], in the order of the scan.
[[nodiscard]] Json examine_candidates(core::Host& host);

}  // namespace toolhost::cli
