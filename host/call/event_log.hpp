// Where events go: JSON lines to a file or to stdout's own descriptor, written behind the calls'
// backs so that a slow disk delays none of them.
#pragma once

#include <memory>
#include <string>

#include "host/base/error.hpp"

namespace spdlog {
class logger;
}

namespace toolhost::call {

// A logger whose lines are complete messages. It writes within milliseconds; nothing is lost when
// the process ends, be it by exit() or by a fatal signal. Appends to the file.
[[nodiscard]] Result<std::shared_ptr<spdlog::logger>> open_event_log(const std::string& path);
// The same on a descriptor that stays the caller's.
[[nodiscard]] std::shared_ptr<spdlog::logger> event_log_to(int descriptor);
// Whether lines could not be written; said on the log when it happened. Ask after a flush.
[[nodiscard]] bool lost_events(const spdlog::logger& log);

}  // namespace toolhost::call
