// Displays "progress" events of a tool as one line that is redrawn.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"

namespace toolhost::cli {

struct Progress {
    double done = 0;
    std::optional<double> total;
    std::string message;
};

// Parses {"progress", "total"?, "message"?}; nothing if it is something else.
[[nodiscard]] std::optional<Progress> parse_progress(std::string_view json);

// The line, of at most `columns`: a bar if the total is known, then rate and remaining time.
[[nodiscard]] std::string progress_line(const Progress& progress,
                                        std::chrono::duration<double> since, std::size_t columns);

// Draws on stderr at a limited rate; clears the line at the end.
class ProgressBar {
public:
    ~ProgressBar();
    // Thread-safe.
    void show(std::string_view json);
    // Clears the line for other output; the next show() draws it again.
    void clear();

private:
    Mutex mutex_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point drawn_ GUARDED_BY(mutex_);
    bool visible_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::cli
