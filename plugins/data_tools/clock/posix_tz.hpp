// A POSIX TZ rule such as "CET-1CEST,M3.5.0,M10.5.0/3": the local times of a zone after the last
// transition that its file lists (RFC 9636, section 3.3.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data_tools::clock {

// The local time type at some time.
struct LocalType {
    std::int32_t offset = 0;  // seconds east of UTC
    bool dst = false;
    std::string abbreviation;
};

struct RuleDate {
    enum class Kind { julian, day, month } kind = Kind::day;  // Jn, n, Mm.w.d
    int day = 0;                                              // n; or the weekday, 0 is Sunday
    int month = 0;
    int week = 0;              // 5 means the last
    std::int32_t time = 7200;  // seconds after midnight; may be negative or exceed a day
};

struct PosixRule {
    LocalType standard;
    std::optional<LocalType> daylight;
    RuleDate start, end;

    LocalType at(std::int64_t unix_time) const;
};

// Returns nothing if the text is not such a rule.
std::optional<PosixRule> parse_posix_rule(std::string_view text);

}  // namespace data_tools::clock
