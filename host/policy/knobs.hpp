// What the host itself enforces of every tool, whatever the tool thinks of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "host/registry/error.hpp"

namespace toolhost::policy {

enum class Consent { ask, deny, bypass };
enum class Isolation { in_process, process };
enum class Sandbox { off, best_effort, required };

struct RateLimit {
    std::uint32_t calls = 0;
    std::int64_t window_ms = 0;
};

// The general knobs, as they are for one tool: what the host enforces.
struct Knobs {
    std::int64_t timeout_ms = 30000;
    std::uint64_t max_input_bytes = 1 << 20;
    std::uint64_t max_output_chars = 20000;
    std::uint64_t max_output_bytes = 10u << 20;  // of binary content
    std::optional<RateLimit> rate_limit;
    std::uint32_t max_concurrent = 0;  // 0: no bound
    bool coerce_input = false;
    Isolation isolation = Isolation::process;
    Sandbox sandbox = Sandbox::required;
};

struct Limits {
    std::optional<std::uint64_t> memory_mb, cpu_seconds, processes, open_files, file_size_mb;
};

// How the host keeps the processes that plugins run in.
struct Workers {
    std::int64_t idle_seconds = 300;  // one that nobody called for so long is ended
    // So many crashes within the window, and the library is quarantined.
    std::uint32_t max_crashes = 5;
    std::int64_t crash_window_seconds = 60;
    std::int64_t grace_ms = 1000;  // from the wish that a call end to its worker's end
};

// Their names in a profile, sorted.
[[nodiscard]] std::span<const std::string_view> knob_names();
[[nodiscard]] bool is_knob(std::string_view name);

// What holds where a profile says nothing, in the form of a profile.
[[nodiscard]] Json built_in_values();

// Lays what an object of a checked profile says over what is there; other keys do not matter.
void read_knobs(const Json& object, Knobs& knobs);
[[nodiscard]] Limits read_limits(const Json& object);
[[nodiscard]] Workers read_workers(const Json& object);
[[nodiscard]] Consent read_consent(std::string_view word);

}  // namespace toolhost::policy
