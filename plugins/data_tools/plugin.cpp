#include "tools.hpp"

// Serial, because giac has global state.
TOOLHOST_PLUGIN(toolhost::family("data_tools"), toolhost::serial, data_tools::calculator(),
                data_tools::current_time(), data_tools::parse_json())
