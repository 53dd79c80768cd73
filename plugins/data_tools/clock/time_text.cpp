#include "clock/time_text.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace data_tools::clock {
namespace {

constexpr std::array months = {"January",   "February", "March",    "April",
                               "May",       "June",     "July",     "August",
                               "September", "October",  "November", "December"};
constexpr std::array weekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                 "Thursday", "Friday", "Saturday"};

struct Local {
    int year;
    unsigned month, day, weekday;
    int hour, minute, second;
};

Local local_time(std::int64_t unix_time, const LocalType& type) {
    using namespace std::chrono;
    const sys_seconds moment(seconds(unix_time + type.offset));
    const sys_days midnight = floor<days>(moment);
    const year_month_day date(midnight);
    const hh_mm_ss clock(moment - midnight);
    return {static_cast<int>(date.year()),
            static_cast<unsigned>(date.month()),
            static_cast<unsigned>(date.day()),
            weekday(midnight).c_encoding(),
            static_cast<int>(clock.hours().count()),
            static_cast<int>(clock.minutes().count()),
            static_cast<int>(clock.seconds().count())};
}

template <class... Values>
std::string printed(const char* format, Values... values) {
    std::array<char, 128> text{};
    const int size = std::snprintf(text.data(), text.size(), format, values...);
    return std::string(text.data(), static_cast<std::size_t>(size));
}

}  // namespace

std::string offset_text(std::int32_t offset) {
    const char sign = offset < 0 ? '-' : '+';
    const int n = std::abs(offset);
    std::string out = printed("%c%02d:%02d", sign, n / 3600, n / 60 % 60);
    if (n % 60 != 0) out += printed(":%02d", n % 60);
    return out;
}

std::string weekday_text(std::int64_t unix_time, const LocalType& type) {
    return weekdays.at(local_time(unix_time, type).weekday);
}

std::string iso_text(std::int64_t unix_time, const LocalType& type) {
    const Local t = local_time(unix_time, type);
    return printed("%04d-%02u-%02uT%02d:%02d:%02d", t.year, t.month, t.day, t.hour, t.minute,
                   t.second) +
           offset_text(type.offset);
}

std::string human_text(std::int64_t unix_time, const LocalType& type) {
    const Local t = local_time(unix_time, type);
    std::string out = printed("%s, %u %s %d, %02d:%02d:%02d", weekdays.at(t.weekday), t.day,
                              months.at(t.month - 1), t.year, t.hour, t.minute, t.second);
    // Zones without an abbreviation of their own already use their offset.
    const std::string& letters = type.abbreviation;
    if (!letters.empty() && letters[0] != '+' && letters[0] != '-') out += " " + letters;
    return out + " (UTC" + offset_text(type.offset) + ")";
}

}  // namespace data_tools::clock
