// The limits that the host enforces on every tool.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "host/base/error.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::policy {

enum class Consent { ask, deny, bypass };

struct RateLimit {
    std::uint32_t calls = 0;
    std::int64_t window_ms = 0;
};

// The general settings of a profile for one tool, which the host enforces.
struct Limits {
    std::int64_t timeout_ms = 30000;
    std::uint64_t max_input_bytes = 1 << 20;
    std::uint64_t max_output_chars = 20000;
    std::uint64_t max_output_bytes = 10u << 20;  // binary content
    std::optional<RateLimit> rate_limit;
    std::uint32_t max_concurrent = 0;  // 0: no limit
    bool coerce_input = false;
    runtime::Isolation isolation = runtime::Isolation::process;
    sandbox::Enforcement sandbox = sandbox::Enforcement::required;
};

// "process" or "in_process".
[[nodiscard]] std::string_view name_of(runtime::Isolation isolation);

// Their names in a profile, sorted.
[[nodiscard]] std::span<const std::string_view> limit_names();
[[nodiscard]] bool is_limit(std::string_view name);

// The defaults, in the form of a profile.
[[nodiscard]] Json built_in_values();

// Overrides limits with those in an object of a checked profile; ignores other keys.
void read_limits(const Json& object, Limits& limits);
[[nodiscard]] worker::WorkerLimits read_workers(const Json& object);
[[nodiscard]] Consent read_consent(std::string_view word);

}  // namespace toolhost::policy
