// What a tool emits as "progress", as one line that is drawn over itself.
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

// {"progress", "total"?, "message"?}; nothing if it is not that.
[[nodiscard]] std::optional<Progress> parse_progress(std::string_view json);

// The line, of at most `columns`: a bar where a total is known, then rate and remaining time.
[[nodiscard]] std::string progress_line(const Progress& progress,
                                        std::chrono::duration<double> since, std::size_t columns);

// Draws on stderr, not more often than the eye sees; clears the line in the end.
class ProgressBar {
public:
    ~ProgressBar();
    // From any thread.
    void show(std::string_view json);
    // Makes room for a line of something else; the next show() draws it again below.
    void clear();

private:
    Mutex mutex_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point drawn_ GUARDED_BY(mutex_);
    bool visible_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::cli
