// Counters of one tool: calls, errors, denials, latencies.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <string>

#include "host/base/error.hpp"
#include "host/base/mutex.hpp"
#include "host/call/histogram.hpp"

namespace toolhost::call {

class ToolStats {
public:
    // `error` null: it succeeded. `denial`: the reason, where the error is one. A reason may be a
    // tool's own: what is not short and plain, and all after the first few, count as "other".
    void count(const Error* error, std::string_view denial, std::uint64_t nanoseconds);
    // {"calls", "ok", "errors": {code: n}, "denials": {reason: n}, "denyRate", "latencyUs": {...}}
    [[nodiscard]] Json json() const;

    // The same for those who count on: never less than before.
    [[nodiscard]] std::uint64_t calls() const { return calls_; }
    [[nodiscard]] std::uint64_t errors(ErrorCode code) const {
        return errors_.at(static_cast<std::size_t>(code));
    }
    [[nodiscard]] std::map<std::string, std::uint64_t> denials() const {
        MutexLock lock(mutex_);
        return denials_;
    }
    [[nodiscard]] const Histogram& latency() const { return latency_; }

private:
    std::atomic<std::uint64_t> calls_{0}, denied_{0};
    std::array<std::atomic<std::uint64_t>, 32> errors_{};  // by ErrorCode
    Histogram latency_;
    mutable Mutex mutex_;
    std::map<std::string, std::uint64_t> denials_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::call
