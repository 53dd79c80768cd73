// The log on stderr.
#pragma once

#include <string>

namespace toolhost::cli {

// Everything but results goes there. A message is one line whatever it holds: control characters
// and line ends are escaped, so a plugin can neither steer the terminal nor forge a line.
void start_logging(const std::string& level);

}  // namespace toolhost::cli
