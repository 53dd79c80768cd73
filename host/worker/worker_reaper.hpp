// The process between the host and a worker. It runs no foreign code, so it outlives whatever a
// plugin does to itself: it sees to it that all the plugin started dies, tells how it ended, and
// clears up its temporary folder, also when the host is gone.
#pragma once

#include <sys/types.h>

#include <string>

#include "host/os/spawn.hpp"

namespace toolhost::worker {

// The hidden mode: toolhost __worker HOST_PID TEMP_FOLDER CONTROL_GROUP, with the channel's memory
// on kPassedDescriptor, and kAnswerBell.
inline constexpr const char* kWorkerCommand = "__worker";
// The event descriptor by which the worker wakes the host (AnswerSignal).
inline constexpr int kAnswerBell = os::kPassedDescriptor + 1;

[[noreturn]] void reap_worker(pid_t host, const std::string& temp, const std::string& group);

}  // namespace toolhost::worker
