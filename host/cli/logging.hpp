// The log on stderr.
#pragma once

#include <string>

namespace toolhost::cli {

// Everything except results is written to stderr. A message is always one line: control characters
// and line ends are escaped, so a plugin can neither control the terminal nor forge a line.
void start_logging(const std::string& level);

}  // namespace toolhost::cli
