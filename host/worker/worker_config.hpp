// How the calls of a tool run in a worker: made once per tool and profile.
#pragma once

#include <cstdint>
#include <string>

#include "host/sandbox/confinement.hpp"

namespace toolhost::worker {

// How the host keeps the processes that plugins run in.
struct WorkerLimits {
    std::int64_t idle_seconds = 300;  // a worker that is idle for this time is ended
    // So many crashes within the window, and the library is quarantined.
    std::uint32_t max_crashes = 5;
    std::int64_t crash_window_seconds = 60;
    std::int64_t grace_ms = 1000;  // from the wish that a call end to its worker's end
};

struct WorkerConfig {
    sandbox::Confinement confinement;
    WorkerLimits workers;
    std::string key;  // tools of one library share a worker if theirs is the same
};

}  // namespace toolhost::worker
