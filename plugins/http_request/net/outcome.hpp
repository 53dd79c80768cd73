// A value, or why there is none: bad data is an everyday outcome, so it is a value here and no
// exception.
#pragma once

#include <toolhost/maybe.hpp>

namespace http_tool {

using toolhost::Failure;
template <class T>
using Outcome = toolhost::Maybe<T>;

}  // namespace http_tool
