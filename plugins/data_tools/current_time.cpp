#include <chrono>
#include <cstdint>
#include <string>

#include "clock/now.hpp"
#include "tools.hpp"

namespace data_tools {
namespace {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::MaxLength;

struct Input {
    Field<std::string, "An IANA time zone name.", MaxLength<64>,
          Keyword<"examples", R"(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])">>
        timezone = "UTC";
    Field<toolhost::Literal<"iso", "unix", "human">,
          "iso: 2026-01-15T13:34:56+01:00; unix: seconds since 1970; human: Thursday, 15 January "
          "2026, 13:34:56 CET (UTC+01:00).">
        format = "iso";
};

struct Output {
    Field<std::string, "The time in the requested format."> time;
    Field<std::string, "The time zone."> timezone;
    Field<std::string, "ISO 8601, with the offset from UTC."> iso;
    Field<std::int64_t, "Seconds since 1970-01-01T00:00:00Z."> unix_time;
    Field<std::string, "The day of the week, in English."> weekday;
    Field<std::string, "The offset from UTC, such as +05:30."> utc_offset;
    Field<std::string,
          "The zone's abbreviation at this time, such as CET, or the offset if it has none.">
        abbreviation;
    Field<bool, "Whether daylight saving time applies."> dst;
};

toolhost::Reply reply_with_time(const Input& in) {
    using namespace std::chrono;
    const std::int64_t now = floor<seconds>(system_clock::now()).time_since_epoch().count();
    const auto reading = clock::read_clock(now, in.timezone, in.format.str());
    if (!reading) throw toolhost::BadInput("/timezone", reading.error());
    Output out;
    out.time = reading->text;
    out.timezone = reading->timezone;
    out.iso = reading->iso;
    out.unix_time = reading->unix_time;
    out.weekday = reading->weekday;
    out.utc_offset = reading->offset;
    out.abbreviation = reading->abbreviation;
    out.dst = reading->dst;
    return toolhost::Reply().text(reading->text).json(out);
}

}  // namespace

toolhost::Tool current_time() {
    return toolhost::tool<reply_with_time>(
               "current_time",
               "Returns the current date and time in any time zone. Use it whenever an answer "
               "depends on today's date, the weekday, the local time somewhere, or a zone's "
               "current offset from UTC. Not for converting or computing other dates, nor for "
               "measuring durations: its resolution is one second.")
        .title("Current time")
        .version("1.0.0")
        .category("data")
        .needs({.read = true})  // /usr/share/zoneinfo
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example(nlohmann::json::object(), "Now, in UTC.")
        .example({{"timezone", "Asia/Kolkata"}, {"format", "human"}},
                 "Now in India, in human-readable form.")
        .example({{"format", "unix"}}, "Seconds since 1970.");
}

}  // namespace data_tools
