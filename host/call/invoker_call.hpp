// One call on its way through the invoker's steps.
#pragma once

#include <chrono>

#include "host/call/invoker.hpp"
#include "host/call/running_call.hpp"
#include "toolhost/free_json.hpp"

namespace toolhost::call {

// All there is to know about one call while it goes through the steps. Shared with the plugin's
// thread, which may be the last to have it.
struct Invoker::Call : RunningCall {
    using Time = std::chrono::steady_clock::time_point;
    using RunningCall::RunningCall;

    CallIdentity identity;
    std::unique_ptr<Subject> no_tool;  // the requested reference, if no tool matches
    std::size_t output_bytes = 0;
    std::vector<std::string> trusted_files;  // that appeared while it ran
    const Time start = std::chrono::steady_clock::now();
    os::FairPlaces::Place place;
    bool told = false;     // its `before` is written
    bool entered = false;  // its plugin was run

    void trusted_files_appeared(const std::vector<std::string>& paths) override {
        trusted_files.insert(trusted_files.end(), paths.begin(), paths.end());
    }

    ~Call() override { detail::free_json(use.input); }

    // Steps 8 and 9, from any thread.
    void ended(const Result<loading::Outcome>& outcome) override;
    // Hands the result to the caller.
    virtual void deliver(ToolResult&& result) { observer->finished(std::move(result)); }

    [[nodiscard]] bool unwanted() const { return stop.cancel.stop_requested(); }
    // With its whole time from then on, and no more than the call around it has left.
    [[nodiscard]] os::Deadline deadline_from(Time begin) const {
        const auto end = begin + std::chrono::milliseconds(timeout_ms());
        const auto around = lineage.around ? lineage.around->deadline() : std::nullopt;
        return around ? std::min(end, *around) : end;
    }
    [[nodiscard]] std::int64_t timeout_ms() const {
        return std::min(ready->limits.timeout_ms,
                        use.timeout_ms.value_or(ready->limits.timeout_ms));
    }
};

}  // namespace toolhost::call
