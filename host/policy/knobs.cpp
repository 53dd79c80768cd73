#include "host/policy/knobs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace toolhost::policy {
namespace {

constexpr std::array<std::string_view, 9> kNames = {
    "coerceInput",    "isolation", "maxConcurrent", "maxInputBytes", "maxOutputBytes",
    "maxOutputChars", "rateLimit", "sandbox",       "timeoutMs"};

// Calls `take` with the member, if there is one.
template <class Take>
void with(const Json& object, const char* key, Take take) {
    if (auto it = object.find(key); it != object.end()) take(*it);
}

}  // namespace

std::span<const std::string_view> knob_names() {
    return kNames;
}

bool is_knob(std::string_view name) {
    return std::binary_search(kNames.begin(), kNames.end(), name);
}

Json built_in_values() {
    const Knobs knobs;
    const Workers workers;
    return {{"defaults",
             {{"timeoutMs", knobs.timeout_ms},
              {"maxInputBytes", knobs.max_input_bytes},
              {"maxOutputChars", knobs.max_output_chars},
              {"maxOutputBytes", knobs.max_output_bytes},
              {"maxConcurrent", knobs.max_concurrent},
              {"coerceInput", knobs.coerce_input},
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

void read_knobs(const Json& object, Knobs& knobs) {
    with(object, "timeoutMs", [&](const Json& v) { knobs.timeout_ms = v.get<std::int64_t>(); });
    with(object, "maxInputBytes",
         [&](const Json& v) { knobs.max_input_bytes = v.get<std::uint64_t>(); });
    with(object, "maxOutputChars",
         [&](const Json& v) { knobs.max_output_chars = v.get<std::uint64_t>(); });
    with(object, "maxOutputBytes",
         [&](const Json& v) { knobs.max_output_bytes = v.get<std::uint64_t>(); });
    with(object, "maxConcurrent",
         [&](const Json& v) { knobs.max_concurrent = v.get<std::uint32_t>(); });
    with(object, "coerceInput", [&](const Json& v) { knobs.coerce_input = v.get<bool>(); });
    with(object, "rateLimit", [&](const Json& v) {
        knobs.rate_limit = RateLimit{v.at("calls").get<std::uint32_t>(),
                                     std::llround(v.at("seconds").get<double>() * 1000)};
    });
    with(object, "isolation", [&](const Json& v) {
        knobs.isolation = v == "process" ? Isolation::process : Isolation::in_process;
    });
    with(object, "sandbox", [&](const Json& v) {
        knobs.sandbox = v == "required"      ? Sandbox::required
                        : v == "best_effort" ? Sandbox::best_effort
                                             : Sandbox::off;
    });
}

Limits read_limits(const Json& object) {
    Limits limits;
    auto read = [&](const char* key, std::optional<std::uint64_t>& limit) {
        with(object, key, [&](const Json& v) { limit = v.get<std::uint64_t>(); });
    };
    read("memoryMb", limits.memory_mb);
    read("cpuSeconds", limits.cpu_seconds);
    read("processes", limits.processes);
    read("openFiles", limits.open_files);
    read("fileSizeMb", limits.file_size_mb);
    return limits;
}

Workers read_workers(const Json& object) {
    Workers workers;
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
