#include "host/call/stats.hpp"

#include <algorithm>

namespace toolhost::call {
namespace {

// More than any tool documents. Each is a line in the metrics for as long as the host runs.
constexpr std::size_t kMaxReasons = 32;
constexpr std::size_t kMaxReasonBytes = 64;
constexpr const char* kOther = "other";

bool is_reason(std::string_view text) {
    return text.size() <= kMaxReasonBytes && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
           });
}

}  // namespace

void ToolStats::count(const Error* error, std::string_view denial, std::uint64_t nanoseconds) {
    calls_.fetch_add(1, std::memory_order_relaxed);
    latency_.add(nanoseconds);
    if (!error) return;
    errors_.at(static_cast<std::size_t>(error->code)).fetch_add(1, std::memory_order_relaxed);
    if (denial.empty()) return;
    denied_.fetch_add(1, std::memory_order_relaxed);
    MutexLock lock(mutex_);
    std::string reason(is_reason(denial) ? denial : kOther);
    if (denials_.size() >= kMaxReasons && !denials_.contains(reason)) reason = kOther;
    ++denials_[reason];
}

Json ToolStats::json() const {
    Json errors = Json::object();
    std::uint64_t failed = 0;
    for (const auto& entry : error_table())
        if (auto count = errors_.at(static_cast<std::size_t>(entry.code)).load()) {
            errors[std::string(entry.name)] = count;
            failed += count;
        }
    const auto calls = calls_.load();  // after the errors: never fewer than they
    auto microseconds = [&](double fraction) {
        return static_cast<double>(latency_.percentile(fraction)) / 1000;
    };
    MutexLock lock(mutex_);
    return {{"calls", calls},
            {"ok", calls - failed},
            {"errors", std::move(errors)},
            {"denials", denials_},
            {"denyRate", calls ? static_cast<double>(denied_) / static_cast<double>(calls) : 0.0},
            {"latencyUs",
             {{"p50", microseconds(0.5)},
              {"p90", microseconds(0.9)},
              {"p99", microseconds(0.99)},
              {"max", microseconds(1)}}}};
}

}  // namespace toolhost::call
