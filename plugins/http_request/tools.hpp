// The tool of this family. types.hpp has what it takes and gives; prepare.cpp makes a request of
// its input and its policy, net/ sends it, and answer.cpp makes a reply of the response.
#pragma once

#include <toolhost/plugin.hpp>

namespace http_tool {

toolhost::Tool http_request();

}  // namespace http_tool
