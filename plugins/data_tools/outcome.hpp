// A value, or the reason why it is missing. Bad data is expected here, so it is a value and not an
// exception; the tools turn a Failure into the host's fail().
#pragma once

#include <toolhost/maybe.hpp>

namespace data_tools {

using toolhost::Failure;
template <class T>
using Outcome = toolhost::Maybe<T>;

}  // namespace data_tools
