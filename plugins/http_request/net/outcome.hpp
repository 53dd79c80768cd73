// A value, or the reason why it is missing: invalid data is expected, so a failure is a value
// instead of an exception.
#pragma once

#include <toolhost/maybe.hpp>

namespace http_tool {

using toolhost::Failure;
template <class T>
using Outcome = toolhost::Maybe<T>;

}  // namespace http_tool
