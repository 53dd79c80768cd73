#include "tools.hpp"

// Serial: two calls at once could write the same index.
TOOLHOST_PLUGIN(toolhost::family("git"), toolhost::serial, git::git_tool())
