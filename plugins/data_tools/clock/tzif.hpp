// A compiled time zone file (RFC 9636). Read directly: the C library selects a zone by the variable
// TZ, which affects the whole process, and gcc 12 has no std::chrono time zones.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "clock/posix_tz.hpp"
#include "outcome.hpp"

namespace data_tools::clock {

class Zone {
public:
    static Zone utc();
    // `file` is untrusted: any bytes give a zone or a failure.
    static Outcome<Zone> parse(std::string_view file);

    LocalType at(std::int64_t unix_time) const;

private:
    std::vector<std::int64_t> transitions_;  // ascending
    std::vector<std::uint8_t> type_after_;   // of each transition, an index into types_
    std::vector<LocalType> types_;   // never empty; the first applies before all transitions
    std::optional<PosixRule> rule_;  // after the last transition
};

}  // namespace data_tools::clock
