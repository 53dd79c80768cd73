// The worker itself: confined, it loads one plugin's library and runs its calls.
#pragma once

#include <string>

#include "host/worker/channel.hpp"

namespace toolhost::worker {

// Where its reaper has put it.
struct WorkerPlace {
    std::string temp;    // its private folder
    bool own_processes;  // in a namespace of processes that is its own
    int answer_bell;     // wakes the host
};
[[noreturn]] void serve_calls(Channel& channel, const WorkerPlace& place);

}  // namespace toolhost::worker
