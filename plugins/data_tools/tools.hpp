// The tools of this family, one file each: the file of that name has the tool's input, its output,
// and what it says about itself; what it does is in the folder beside it.
#pragma once

#include <toolhost/plugin.hpp>

namespace data_tools {

toolhost::Tool calculator();
toolhost::Tool current_time();
toolhost::Tool parse_json();

}  // namespace data_tools
