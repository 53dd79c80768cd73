// A value, or the reason why it is missing: bad data is expected, so it is a value here and not an
// exception.
#pragma once

#include <toolhost/maybe.hpp>

namespace http_tool {

using toolhost::Failure;
template <class T>
using Outcome = toolhost::Maybe<T>;

}  // namespace http_tool
