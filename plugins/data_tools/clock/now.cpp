#include "clock/now.hpp"

#include "clock/time_text.hpp"

namespace data_tools::clock {

Outcome<Reading> read_clock(std::int64_t unix_time, const std::string& timezone,
                            const std::string& format, const std::filesystem::path& folder) {
    const auto zone = load_zone(timezone, folder);
    if (!zone) return Failure{zone.error()};
    const LocalType type = zone->at(unix_time);
    Reading reading;
    reading.timezone = timezone;
    reading.iso = iso_text(unix_time, type);
    reading.weekday = weekday_text(unix_time, type);
    reading.offset = offset_text(type.offset);
    reading.abbreviation = type.abbreviation;
    reading.unix_time = unix_time;
    reading.dst = type.dst;
    if (format == "iso") {
        reading.text = reading.iso;
    } else if (format == "unix") {
        reading.text = std::to_string(unix_time);
    } else if (format == "human") {
        reading.text = human_text(unix_time, type);
    } else {
        return Failure{"format must be iso, unix or human"};
    }
    return reading;
}

}  // namespace data_tools::clock
