// Parses `since` and `until`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace git {

// Seconds since 1970 for: 2026-01-15, 2026-01-15T12:34[:56][Z|+01:00|+0100] (UTC by default),
// @1700000000, "3 days", "2 weeks ago", today, yesterday, now. Nothing for other texts.
[[nodiscard]] std::optional<std::int64_t> parse_when(std::string_view text, std::int64_t now);

}  // namespace git
