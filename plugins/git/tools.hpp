// The tool of this family: git.cpp has its input, policy and spec; actions/ and repo/ contain the
// logic.
#pragma once

#include <toolhost/plugin.hpp>

namespace git {

toolhost::Tool git_tool();

}  // namespace git
