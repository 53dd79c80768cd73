// A time in a zone, as text.
#pragma once

#include <cstdint>
#include <string>

#include "clock/posix_tz.hpp"

namespace data_tools::clock {

// 2026-01-15T13:34:56+01:00
std::string iso_text(std::int64_t unix_time, const LocalType& type);
// Thursday, 15 January 2026, 13:34:56 CET (UTC+01:00)
std::string human_text(std::int64_t unix_time, const LocalType& type);
// +01:00; seconds only if the zone has them, as local mean times do
std::string offset_text(std::int32_t offset);
std::string weekday_text(std::int64_t unix_time, const LocalType& type);

}  // namespace data_tools::clock
