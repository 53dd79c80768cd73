// The tools of this family. Each has a file of that name with its input, output and spec; the
// folder beside it contains the logic.
#pragma once

#include <toolhost/plugin.hpp>

namespace data_tools {

toolhost::Tool calculator();
toolhost::Tool current_time();
toolhost::Tool parse_json();

}  // namespace data_tools
