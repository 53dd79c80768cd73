// Converts a response to the blocks of the result.
#pragma once

#include "net/request.hpp"
#include "types.hpp"

namespace http_tool {

[[nodiscard]] toolhost::Reply make_answer(Response response, const Input& in,
                                          toolhost::Context& context);

}  // namespace http_tool
