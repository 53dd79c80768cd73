#include "tools.hpp"

// Concurrent: a call shares nothing with another.
TOOLHOST_PLUGIN(toolhost::family("http_request"), toolhost::concurrent, http_tool::http_request())
