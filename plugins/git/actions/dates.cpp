#include "actions/dates.hpp"

#include <charconv>
#include <chrono>
#include <string>

namespace git {
namespace {

constexpr std::int64_t kDay = 86400;

// Removes `digits` digits from the front; nothing if there are fewer.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
    int value = 0;
    if (text.size() < digits) return std::nullopt;
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] < '0' || text[i] > '9') return std::nullopt;
        value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return value;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

// Parses the rest of the text as seconds east of UTC.
std::optional<std::int64_t> parse_zone(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z") return 0;
    const bool west = text.front() == '-';
    if (!take(text, "+-")) return std::nullopt;
    const auto hours = take_number(text, 2);
    take(text, ":");
    const auto minutes = take_number(text, 2);
    if (!hours || !minutes || *hours > 14 || *minutes > 59 || !text.empty()) return std::nullopt;
    const std::int64_t seconds = *hours * 3600 + *minutes * 60;
    return west ? -seconds : seconds;
}

std::optional<std::int64_t> parse_iso(std::string_view text) {
    using namespace std::chrono;
    const auto y = take_number(text, 4);
    if (!y || !take(text, "-")) return std::nullopt;
    const auto m = take_number(text, 2);
    if (!m || !take(text, "-")) return std::nullopt;
    const auto d = take_number(text, 2);
    if (!d) return std::nullopt;
    const year_month_day date{year(*y), month(static_cast<unsigned>(*m)),
                              day(static_cast<unsigned>(*d))};
    if (!date.ok()) return std::nullopt;
    const std::int64_t midnight = sys_days(date).time_since_epoch().count() * kDay;
    if (text.empty()) return midnight;
    if (!take(text, "T ")) return std::nullopt;
    const auto hour = take_number(text, 2);
    if (!hour || !take(text, ":")) return std::nullopt;
    const auto minute = take_number(text, 2);
    if (!minute) return std::nullopt;
    const auto second = take(text, ":") ? take_number(text, 2) : std::optional<int>(0);
    if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
    take(text, " ");
    const auto zone = parse_zone(text);
    if (!zone) return std::nullopt;
    return midnight + *hour * 3600 + *minute * 60 + *second - *zone;
}

std::optional<std::int64_t> unit_seconds(std::string_view unit) {
    constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
        {"second", 1},      {"minute", 60},       {"hour", 3600},      {"day", kDay},
        {"week", 7 * kDay}, {"month", 30 * kDay}, {"year", 365 * kDay}};
    if (unit.size() > 1 && unit.back() == 's') unit.remove_suffix(1);
    for (const auto& [name, seconds] : kUnits)
        if (unit == name) return seconds;
    return std::nullopt;
}

// "3 days", "2.weeks.ago"
std::optional<std::int64_t> parse_ago(std::string_view given, std::int64_t now) {
    std::string text(given);
    for (char& c : text)
        if (c == '.') c = ' ';
    std::int64_t count = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (fault != std::errc() || count < 0 || count > 1000000) return std::nullopt;
    std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (!take(rest, " ")) return std::nullopt;
    constexpr std::string_view kAgo = " ago";
    if (rest.size() > kAgo.size() && rest.substr(rest.size() - kAgo.size()) == kAgo)
        rest.remove_suffix(kAgo.size());
    const auto unit = unit_seconds(rest);
    if (!unit) return std::nullopt;
    return now - count * *unit;
}

}  // namespace

std::optional<std::int64_t> parse_when(std::string_view text, std::int64_t now) {
    if (text == "now") return now;
    if (text == "today") return now - now % kDay;
    if (text == "yesterday") return now - kDay;
    if (!text.empty() && text.front() == '@') {
        std::int64_t value = 0;
        const auto* last = text.data() + text.size();
        const auto [end, fault] = std::from_chars(text.data() + 1, last, value);
        if (fault == std::errc() && end == last) return value;
        return std::nullopt;
    }
    if (const auto iso = parse_iso(text)) return iso;
    return parse_ago(text, now);
}

}  // namespace git
