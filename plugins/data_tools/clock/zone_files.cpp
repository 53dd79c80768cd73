#include "clock/zone_files.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>

#include "nearest.hpp"

namespace data_tools::clock {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_name = 64;
constexpr std::uintmax_t max_file = 1U << 18U;  // the largest zone has 4 KB

// Entries that are not zones: copies of all others, and names for this machine's own setting.
bool is_reserved(std::string_view name) {
    const std::string_view first = name.substr(0, name.find('/'));
    return first == "posix" || first == "right" || name == "localtime" || name == "posixrules";
}

std::optional<std::string> read_zone_file(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) > max_file) {
        return std::nullopt;
    }
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in || text.substr(0, 4) != "TZif") return std::nullopt;  // zone.tab and others
    return text;
}

std::string_view city_of(std::string_view zone) {
    return zone.substr(zone.rfind('/') + 1);
}

// Zones with a similar city in any region: Berlin, Europe/Tokio. Without any, zones whose whole
// name is similar.
std::string suggestions(std::string_view name, const fs::path& folder) {
    const std::vector<std::string> all = zone_names(folder);
    std::vector<std::string> cities;
    for (const std::string& zone : all) cities.emplace_back(city_of(zone));
    const std::vector<std::string> close = nearest(city_of(name), cities, cities.size());
    std::vector<std::string> zones;
    for (const std::string& zone : all) {
        if (std::find(close.begin(), close.end(), city_of(zone)) != close.end()) {
            zones.push_back(zone);
        }
    }
    const auto distance = [&](const std::string& zone) {
        return std::pair(edit_distance(city_of(name), city_of(zone)), edit_distance(name, zone));
    };
    std::sort(zones.begin(), zones.end(), [&](const std::string& a, const std::string& b) {
        return distance(a) < distance(b);
    });
    if (zones.empty()) zones = nearest(name, all);
    if (zones.empty()) return " Use a name such as Europe/Berlin, America/New_York or UTC.";
    std::string out = " Did you mean " + zones.front();
    for (std::size_t k = 1; k < std::min<std::size_t>(zones.size(), 3); ++k) out += ", " + zones[k];
    return out + "?";
}

}  // namespace

bool is_zone_name(std::string_view name) {
    if (name.empty() || name.size() > max_name) return false;
    int slashes = 0;
    char previous = '/';
    for (const char c : name) {
        if (c == '/') {
            if (previous == '/' || ++slashes > 2) return false;
        } else if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '+' &&
                   c != '-') {
            return false;
        }
        previous = c;
    }
    return previous != '/';
}

std::vector<std::string> zone_names(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code error;
    fs::recursive_directory_iterator walk(folder, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
        const std::string name = walk->path().lexically_relative(folder).string();
        std::error_code ignored;
        if (walk->is_directory(ignored)) {
            if (is_reserved(name)) walk.disable_recursion_pending();
        } else if (is_zone_name(name) && !is_reserved(name)) {
            out.push_back(name);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

Outcome<Zone> load_zone(std::string_view name, const fs::path& folder) {
    const std::string shown = "'" + std::string(name.substr(0, 80)) + "'";
    if (!is_zone_name(name) || is_reserved(name)) {
        return Failure{shown + " is not a time zone name." + suggestions(name, folder)};
    }
    if (const auto file = read_zone_file(folder / name)) return Zone::parse(*file);
    if (name == "UTC") return Zone::utc();  // does not need tzdata
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        return Failure{"this system has no time zone data (" + folder.string() +
                       "); only UTC is available"};
    }
    return Failure{"unknown time zone " + shown + "." + suggestions(name, folder)};
}

}  // namespace data_tools::clock
