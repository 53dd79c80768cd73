// Checks with many calls, concurrent and in sequence.
#include <algorithm>
#include <optional>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/validate/checks.hpp"
#include "host/validate/process_usage.hpp"

namespace toolhost::validate {
namespace {

constexpr std::size_t kInputsPerTool = 4;
// With so many calls, even a leak of one block per call is significant.
constexpr std::size_t kWarmUp = 16, kDescriptorCalls = 32, kMemoryCalls = 200;
// A check repeats only fast calls, and for at most this time.
constexpr std::chrono::milliseconds kQuick{50}, kBudget{2000};
// malloc's arenas and caches grow at first: smaller growth is not a leak.
constexpr std::size_t kGrowthBytes = 4u << 20;
constexpr unsigned kThreads = 4, kRounds = 8;

// The result without the id of the call.
std::string comparable_text(const CallRecord& record) {
    Json json = record.result.json();
    json.erase("toolUseId");
    return dump(json);
}

// Fast calls with a result, a few of each tool.
std::vector<const CallRecord*> quick_calls(Bench& bench) {
    std::vector<const CallRecord*> out;
    const registry::Tool* tool = nullptr;
    std::size_t count = 0;
    for (const auto& record : bench.records()) {
        if (record.tool != tool) count = 0;
        tool = record.tool;
        const auto code = record.code();
        const bool answered = !code || code == ErrorCode::tool_failed ||
                              code == ErrorCode::policy_denied || code == ErrorCode::invalid_input;
        if (record.refused() || !answered || record.cancelled || count >= kInputsPerTool) continue;
        // The first call also started the worker.
        if (record.took > kQuick && bench.call(*record.tool, record.sample).took > kQuick) continue;
        ++count;
        out.push_back(&record);
    }
    return out;
}

// Returns the number of calls.
std::size_t repeat(Bench& bench, const std::vector<const CallRecord*>& calls, std::size_t times) {
    const auto until = std::chrono::steady_clock::now() + kBudget;
    std::size_t made = 0;
    for (; made < times && std::chrono::steady_clock::now() < until; ++made) {
        const auto& one = *calls[made % calls.size()];
        static_cast<void>(bench.call(*one.tool, one.sample));
    }
    return made;
}

bool nothing_to_call(const std::vector<const CallRecord*>& calls, CheckResult& result) {
    if (calls.empty()) result.skip("", "no call was fast enough to repeat");
    return calls.empty();
}

struct Growth {
    ProcessUsage before, after;
};

// What the tool's processes use before and after so many calls, and `judged` of the result.
// Nothing: it cannot be told, and the result says so.
std::optional<Growth> growth_over(std::size_t times, Bench& bench, CheckResult& result) {
    const auto calls = quick_calls(bench);
    if (nothing_to_call(calls, result)) return std::nullopt;
    // The start of the worker is over, and caches are filled.
    static_cast<void>(repeat(bench, calls, kWarmUp));
    const auto before = descendants_usage();
    result.judged = repeat(bench, calls, times);
    const auto after = descendants_usage();
    if (before && after) return Growth{*before, *after};
    result.skip("", "/proc does not show what the worker uses");
    return std::nullopt;
}

}  // namespace

void check_threads(Bench& bench, CheckResult& result) {
    if (!bench.concurrent()) return result.skip("", "the library is serial: one call at a time");
    auto calls = quick_calls(bench);
    // Results that change on their own, such as the time, cannot be compared.
    std::erase_if(calls, [&](const CallRecord* record) {
        return comparable_text(bench.call(*record->tool, record->sample)) !=
               comparable_text(*record);
    });
    if (nothing_to_call(calls, result)) return;
    const auto until = std::chrono::steady_clock::now() + kBudget;
    struct {
        Mutex mutex;
        std::size_t calls GUARDED_BY(mutex) = 0, wrong GUARDED_BY(mutex) = 0;
        const CallRecord* first GUARDED_BY(mutex) = nullptr;
        std::string instead GUARDED_BY(mutex);  // its result
    } judged;
    {
        std::vector<std::jthread> threads;
        for (unsigned t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = 0;
                     i < kRounds * calls.size() && std::chrono::steady_clock::now() < until; ++i) {
                    const auto* one = calls[(i + t) % calls.size()];
                    const auto again = bench.call(*one->tool, one->sample);
                    MutexLock lock(judged.mutex);
                    ++judged.calls;
                    if (again.refused() || comparable_text(again) == comparable_text(*one)) continue;
                    if (judged.wrong++ > 0) continue;
                    judged.first = one;
                    judged.instead = comparable_text(again).substr(0, 200);
                }
            });
    }
    MutexLock lock(judged.mutex);
    result.judged = judged.calls;
    if (judged.first)
        result.fail(judged.first->tool->spec.name,
                    std::to_string(judged.wrong) + " of " + std::to_string(judged.calls) +
                        " concurrent calls gave other results; " + judged.first->sample.what +
                        ": " + judged.instead + " instead of " +
                        comparable_text(*judged.first).substr(0, 200));
}

void check_descriptors(Bench& bench, CheckResult& result) {
    const auto growth = growth_over(kDescriptorCalls, bench, result);
    if (!growth) return;
    const auto& [before, after] = *growth;
    // A worker that was replaced starts from few; an idle thread may hold one or two for a while.
    if (after.descriptors > before.descriptors + 4)
        result.fail("", std::to_string(result.judged) + " calls left " +
                            std::to_string(after.descriptors - before.descriptors) +
                            " descriptors open");
}

void check_memory(Bench& bench, CheckResult& result) {
    const auto growth = growth_over(kMemoryCalls, bench, result);
    if (!growth) return;
    const auto& [before, after] = *growth;
    if (after.private_bytes > before.private_bytes + kGrowthBytes)
        result.warn("", std::to_string(result.judged) + " calls grew the worker by " +
                            std::to_string((after.private_bytes - before.private_bytes) >> 10) +
                            " KiB");
}

}  // namespace toolhost::validate
