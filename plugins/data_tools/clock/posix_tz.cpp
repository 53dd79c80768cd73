#include "clock/posix_tz.hpp"

#include <chrono>

namespace data_tools::clock {
namespace {

constexpr std::int64_t day_seconds = 86400;

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool done() const { return at_ == text_.size(); }
    char peek() const { return done() ? '\0' : text_[at_]; }
    bool accept(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    // Letters, or anything between < and >.
    std::optional<std::string> name() {
        if (accept('<')) {
            const std::size_t close = text_.find('>', at_);
            if (close == std::string_view::npos) return std::nullopt;
            std::string out(text_.substr(at_, close - at_));
            at_ = close + 1;
            return out;
        }
        const std::size_t start = at_;
        while ((peek() >= 'A' && peek() <= 'Z') || (peek() >= 'a' && peek() <= 'z')) ++at_;
        if (at_ - start < 3) return std::nullopt;
        return std::string(text_.substr(start, at_ - start));
    }

    std::optional<int> number(int least, int most) {
        const std::size_t start = at_;
        int value = 0;
        while (peek() >= '0' && peek() <= '9' && at_ - start < 4) {
            value = value * 10 + (text_[at_++] - '0');
        }
        if (at_ == start || value < least || value > most) return std::nullopt;
        return value;
    }

    // [+-]hh[:mm[:ss]]
    std::optional<std::int32_t> time() {
        const int sign = accept('-') ? -1 : 1;
        if (sign == 1) accept('+');
        const auto hours = number(0, 167);
        if (!hours) return std::nullopt;
        int seconds = *hours * 3600;
        for (const int unit : {60, 1}) {
            if (!accept(':')) break;
            const auto part = number(0, 59);
            if (!part) return std::nullopt;
            seconds += *part * unit;
        }
        return sign * seconds;
    }

    std::optional<RuleDate> date() {
        RuleDate out;
        if (accept('M')) {
            const auto month = number(1, 12);
            if (!month || !accept('.')) return std::nullopt;
            const auto week = number(1, 5);
            if (!week || !accept('.')) return std::nullopt;
            const auto weekday = number(0, 6);
            if (!weekday) return std::nullopt;
            out = {RuleDate::Kind::month, *weekday, *month, *week};
        } else {
            const bool julian = accept('J');
            const auto day = number(julian ? 1 : 0, 365);
            if (!day) return std::nullopt;
            out.kind = julian ? RuleDate::Kind::julian : RuleDate::Kind::day;
            out.day = *day;
        }
        if (accept('/')) {
            const auto at = time();
            if (!at) return std::nullopt;
            out.time = *at;
        }
        return out;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

// Seconds of the date since 1970, treating local time as UTC.
std::int64_t local_seconds(const RuleDate& date, std::chrono::year year) {
    using namespace std::chrono;
    sys_days day = sys_days(year / January / 1);
    if (date.kind == RuleDate::Kind::month) {
        const auto m = year / month(static_cast<unsigned>(date.month));
        const weekday wanted(static_cast<unsigned>(date.day));
        day = date.week == 5 ? sys_days(m / wanted[last])
                             : sys_days(m / wanted[static_cast<unsigned>(date.week)]);
    } else if (date.kind == RuleDate::Kind::julian) {
        // Day 60 is always the first of March.
        day += days(date.day - 1 + (year.is_leap() && date.day >= 60 ? 1 : 0));
    } else {
        day += days(date.day);
    }
    return day.time_since_epoch().count() * day_seconds + date.time;
}

}  // namespace

LocalType PosixRule::at(std::int64_t unix_time) const {
    if (!daylight) return standard;
    using namespace std::chrono;
    const auto local_day = floor<days>(sys_seconds(seconds(unix_time + standard.offset)));
    const year this_year = year_month_day(local_day).year();
    const std::int64_t on = local_seconds(start, this_year) - standard.offset;
    const std::int64_t off = local_seconds(end, this_year) - daylight->offset;
    // In the south daylight time spans the new year.
    const bool is_daylight =
        on < off ? on <= unix_time && unix_time < off : !(off <= unix_time && unix_time < on);
    return is_daylight ? *daylight : standard;
}

std::optional<PosixRule> parse_posix_rule(std::string_view text) {
    Reader reader(text);
    PosixRule rule;
    const auto name = reader.name();
    const auto west = name ? reader.time() : std::nullopt;  // POSIX counts westwards
    if (!west) return std::nullopt;
    rule.standard = {-*west, false, *name};
    if (reader.done()) return rule;

    const auto daylight_name = reader.name();
    if (!daylight_name) return std::nullopt;
    rule.daylight = LocalType{rule.standard.offset + 3600, true, *daylight_name};
    if (reader.peek() != ',') {
        const auto daylight_west = reader.time();
        if (!daylight_west) return std::nullopt;
        rule.daylight->offset = -*daylight_west;
    }
    if (!reader.accept(',')) return std::nullopt;
    const auto start = reader.date();
    if (!start || !reader.accept(',')) return std::nullopt;
    const auto end = reader.date();
    if (!end || !reader.done()) return std::nullopt;
    rule.start = *start;
    rule.end = *end;
    return rule;
}

}  // namespace data_tools::clock
