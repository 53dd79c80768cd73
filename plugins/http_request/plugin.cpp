#include "tools.hpp"

// Concurrent: calls share no state.
TOOLHOST_PLUGIN(toolhost::family("http_request"), toolhost::concurrent, http_tool::http_request())
