// current_time as a function: the time is an argument, so that tests can set it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "clock/zone_files.hpp"

namespace data_tools::clock {

struct Reading {
    std::string text;  // in the requested format
    std::string timezone, iso, weekday, offset, abbreviation;
    std::int64_t unix_time = 0;
    bool dst = false;
};

// format: iso, unix or human.
Outcome<Reading> read_clock(std::int64_t unix_time, const std::string& timezone,
                            const std::string& format,
                            const std::filesystem::path& folder = system_zones);

}  // namespace data_tools::clock
