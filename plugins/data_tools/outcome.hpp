// A value, or the reason why it is missing. Invalid data is expected here, so a failure is a value
// instead of an exception; the tools pass it to the host's fail().
#pragma once

#include <toolhost/maybe.hpp>

namespace data_tools {

using toolhost::Failure;
template <class T>
using Outcome = toolhost::Maybe<T>;

}  // namespace data_tools
