#include "host/schema/formats_time.hpp"

#include <optional>

#include "host/base/ascii.hpp"

namespace toolhost::schema {
namespace {

// Removes exactly `count` digits from the front.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
    if (text.size() < count) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_digit(text[i])) return std::nullopt;
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return value;
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

int days_in(int year, int month) {
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : kDays[month - 1];
}

bool take_date(std::string_view& text) {
    const auto year = take_digits(text, 4);
    if (!year || !take(text, '-')) return false;
    const auto month = take_digits(text, 2);
    if (!month || *month < 1 || *month > 12 || !take(text, '-')) return false;
    const auto day = take_digits(text, 2);
    return day && *day >= 1 && *day <= days_in(*year, *month);
}

struct HourMinute {
    int hour, minute;
};

std::optional<HourMinute> take_hour_minute(std::string_view& text) {
    const auto hour = take_digits(text, 2);
    if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
    const auto minute = take_digits(text, 2);
    if (!minute || *minute > 59) return std::nullopt;
    return HourMinute{*hour, *minute};
}

// Minutes east of UTC.
std::optional<int> take_offset(std::string_view& text) {
    if (take(text, 'Z') || take(text, 'z')) return 0;
    const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
    if (sign == 0) return std::nullopt;
    const auto offset = take_hour_minute(text);
    if (!offset) return std::nullopt;
    return sign * (offset->hour * 60 + offset->minute);
}

bool take_time(std::string_view& text) {
    const auto start = take_hour_minute(text);
    if (!start || !take(text, ':')) return false;
    const auto second = take_digits(text, 2);
    if (!second || *second > 60) return false;
    if (take(text, '.')) {
        if (text.empty() || !is_digit(text.front())) return false;
        while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
    }
    const auto offset = take_offset(text);
    if (!offset) return false;
    if (*second < 60) return true;
    // A leap second is the last second of a day in UTC.
    constexpr int kDay = 24 * 60;
    return (start->hour * 60 + start->minute - *offset + 2 * kDay) % kDay == kDay - 1;
}

// Removes some of `units`, in their order, each "<digits><unit>". Returns their number, or -1 if
// malformed.
int take_units(std::string_view& text, std::string_view units) {
    int count = 0;
    std::size_t next = 0;
    while (!text.empty() && is_digit(text.front())) {
        while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
        const auto unit = text.empty() ? std::string_view::npos : units.find(text.front(), next);
        // RFC 3339's grammar has no gaps: P1Y2D is not a duration.
        if (unit == std::string_view::npos || (count > 0 && unit != next)) return -1;
        next = unit + 1;
        text.remove_prefix(1);
        ++count;
    }
    return count;
}

}  // namespace

bool is_date(std::string_view text) {
    return take_date(text) && text.empty();
}

bool is_time(std::string_view text) {
    return take_time(text) && text.empty();
}

bool is_date_time(std::string_view text) {
    if (!take_date(text)) return false;
    return (take(text, 'T') || take(text, 't')) && is_time(text);
}

bool is_duration(std::string_view text) {
    if (!take(text, 'P') || text.empty()) return false;
    if (std::string_view weeks = text; take_units(weeks, "W") == 1) return weeks.empty();
    if (take_units(text, "YMD") < 0) return false;
    if (text.empty()) return true;
    return take(text, 'T') && take_units(text, "HMS") > 0 && text.empty();
}

}  // namespace toolhost::schema
