// The worker itself: confined, it loads one plugin's library and runs its calls.
#pragma once

#include <string>

#include "host/runtime/channel.hpp"

namespace toolhost::runtime {

[[noreturn]] void serve_calls(Channel& channel, const std::string& temp);

}  // namespace toolhost::runtime
