#include "tools.hpp"

// Serial: concurrent calls could write the same index.
TOOLHOST_PLUGIN(toolhost::family("git"), toolhost::serial, git::git_tool())
