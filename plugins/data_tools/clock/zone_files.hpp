// Time zones by name, from the system's tzdata.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "clock/tzif.hpp"

namespace data_tools::clock {

inline const std::filesystem::path system_zones = "/usr/share/zoneinfo";

// Europe/Berlin, UTC, Etc/GMT+5: words of letters, digits, _ + -, joined by one or two slashes.
// Such a name cannot lead out of the zone folder.
bool is_zone_name(std::string_view name);

// All names, sorted. Empty without tzdata.
std::vector<std::string> zone_names(const std::filesystem::path& folder = system_zones);

// The failure for an unknown name suggests similar ones.
Outcome<Zone> load_zone(std::string_view name, const std::filesystem::path& folder = system_zones);

}  // namespace data_tools::clock
