// Cancels a running call with Ctrl-C: the caller gets the answer within 100 ms.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {

// A profile for such a call: a tool that ignores the cancellation takes this long, which the test
// notices.
inline constexpr const char* kLongGracePeriod = "workers: { graceMs: 60000 }\n";

// The time from Ctrl-C to the end of the program. `sign` is printed once the call is running.
inline std::chrono::milliseconds time_to_cancel(const Stage& stage,
                                                const std::vector<std::string>& args,
                                                std::string_view sign, const Options& options) {
    LiveRun run(stage, args, options);
    const bool at_work = run.await(sign);
    CAPTURE(run.shown());
    REQUIRE(at_work);
    const auto begin = std::chrono::steady_clock::now();
    run.type("\x03");
    CHECK(run.exit_code() == 10);
    const auto took = std::chrono::steady_clock::now() - begin;
    CAPTURE(run.shown());
    CHECK(contains(run.shown(), "cancelled"));
    CHECK_FALSE(contains(run.shown(), "killed"));  // it ended on its own
    return std::chrono::duration_cast<std::chrono::milliseconds>(took);
}

// The best of several attempts counts, because a busy machine may delay any of them.
inline void check_cancel(const Stage& stage, const std::vector<std::string>& args,
                         std::string_view sign, const Options& options = {}) {
    constexpr std::chrono::milliseconds kAllowed(100), kIgnored(5000);
    auto best = std::chrono::milliseconds::max();
    for (int attempt = 0; attempt < 8 && best > kAllowed; ++attempt) {
        const auto took = time_to_cancel(stage, args, sign, options);
        best = std::min(best, took);
        if (took > kIgnored) break;
    }
    CHECK(best.count() <= kAllowed.count());
}

}  // namespace toolhost::test
