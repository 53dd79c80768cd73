#include "host/policy/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace toolhost::policy {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "coerceInput",    "isolation", "maxConcurrent", "maxInputBytes", "maxOutputBytes",
    "maxOutputChars", "rateLimit", "sandbox",       "timeoutMs"};

// Calls `take` with the member if it exists.
template <class Take>
void with(const Json& object, const char* key, Take take) {
    if (auto it = object.find(key); it != object.end()) take(*it);
}

}  // namespace

std::span<const std::string_view> limit_names() {
    return kNames;
}

bool is_limit(std::string_view name) {
    return std::binary_search(kNames.begin(), kNames.end(), name);
}

Json built_in_values() {
    const Limits limits;
    const worker::WorkerLimits workers;
    return {{"defaults",
             {{"timeoutMs", limits.timeout_ms},
              {"maxInputBytes", limits.max_input_bytes},
              {"maxOutputChars", limits.max_output_chars},
              {"maxOutputBytes", limits.max_output_bytes},
              {"maxConcurrent", limits.max_concurrent},
              {"coerceInput", limits.coerce_input},
              {"isolation", "process"},
              {"sandbox", "required"}}},
            {"workers",
             {{"idleSeconds", workers.idle_seconds},
              {"maxCrashes", workers.max_crashes},
              {"crashWindowSeconds", workers.crash_window_seconds},
              {"graceMs", workers.grace_ms}}},
            {"workspace", "."},
            {"userGrants", true},
            {"consent", "ask"}};
}

void read_limits(const Json& object, Limits& limits) {
    with(object, "timeoutMs", [&](const Json& v) { limits.timeout_ms = v.get<std::int64_t>(); });
    with(object, "maxInputBytes",
         [&](const Json& v) { limits.max_input_bytes = v.get<std::uint64_t>(); });
    with(object, "maxOutputChars",
         [&](const Json& v) { limits.max_output_chars = v.get<std::uint64_t>(); });
    with(object, "maxOutputBytes",
         [&](const Json& v) { limits.max_output_bytes = v.get<std::uint64_t>(); });
    with(object, "maxConcurrent",
         [&](const Json& v) { limits.max_concurrent = v.get<std::uint32_t>(); });
    with(object, "coerceInput", [&](const Json& v) { limits.coerce_input = v.get<bool>(); });
    with(object, "rateLimit", [&](const Json& v) {
        limits.rate_limit = RateLimit{v.at("calls").get<std::uint32_t>(),
                                      std::llround(v.at("seconds").get<double>() * 1000)};
    });
    with(object, "isolation", [&](const Json& v) {
        limits.isolation =
            v == "process" ? runtime::Isolation::process : runtime::Isolation::in_process;
    });
    with(object, "sandbox", [&](const Json& v) {
        limits.sandbox = v == "required"      ? sandbox::Enforcement::required
                         : v == "best_effort" ? sandbox::Enforcement::best_effort
                                              : sandbox::Enforcement::off;
    });
}

worker::WorkerLimits read_workers(const Json& object) {
    worker::WorkerLimits workers;
    with(object, "idleSeconds",
         [&](const Json& v) { workers.idle_seconds = v.get<std::int64_t>(); });
    with(object, "maxCrashes",
         [&](const Json& v) { workers.max_crashes = v.get<std::uint32_t>(); });
    with(object, "crashWindowSeconds",
         [&](const Json& v) { workers.crash_window_seconds = v.get<std::int64_t>(); });
    with(object, "graceMs", [&](const Json& v) { workers.grace_ms = v.get<std::int64_t>(); });
    return workers;
}

Consent read_consent(std::string_view word) {
    return word == "bypass" ? Consent::bypass : word == "deny" ? Consent::deny : Consent::ask;
}

}  // namespace toolhost::policy
