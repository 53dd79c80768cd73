// The tool of this family: git.cpp has its input, its policy, and what it says about itself; what
// it does is in actions/ and, below that, in repo/.
#pragma once

#include <toolhost/plugin.hpp>

namespace git {

toolhost::Tool git_tool();

}  // namespace git
