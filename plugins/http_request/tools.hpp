// The tool of this family. types.hpp has its input and output; prepare.cpp builds a request from
// input and policy, net/ sends it, and answer.cpp builds a reply from the response.
#pragma once

#include <toolhost/plugin.hpp>

namespace http_tool {

toolhost::Tool http_request();

}  // namespace http_tool
