// Checks that each accepted library can be opened. The probe does not, because tool_open() may do
// work.
#pragma once

#include <map>
#include <string>

#include "host/cli/open_host.hpp"

namespace toolhost::cli {

// Opens each library whose entry is "ok" once, in a worker with the sandbox of its calls, and marks
// it as refused if that fails. `by_path` contains doctor's entries of the candidates.
void open_libraries(core::Host& host, std::map<std::string, Json>& by_path);

}  // namespace toolhost::cli
