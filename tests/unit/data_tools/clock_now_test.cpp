#include "clock/now.hpp"

#include <doctest/doctest.h>

#include "clock/time_text.hpp"

using namespace data_tools::clock;

namespace {

std::string at(std::int64_t time, const char* zone, const char* format) {
    const auto reading = read_clock(time, zone, format);
    return reading ? reading->text : "! " + reading.error();
}

}  // namespace

TEST_CASE("formats") {
    CHECK(at(1768480496, "UTC", "iso") == "2026-01-15T12:34:56+00:00");
    CHECK(at(1768480496, "Europe/Berlin", "iso") == "2026-01-15T13:34:56+01:00");
    CHECK(at(1784118896, "Europe/Berlin", "iso") == "2026-07-15T14:34:56+02:00");
    CHECK(at(1768480496, "Asia/Kolkata", "iso") == "2026-01-15T18:04:56+05:30");
    CHECK(at(1768480496, "America/St_Johns", "iso") == "2026-01-15T09:04:56-03:30");
    CHECK(at(1768480496, "Asia/Kolkata", "unix") == "1768480496");
    CHECK(at(1768480496, "Europe/Berlin", "human") ==
          "Thursday, 15 January 2026, 13:34:56 CET (UTC+01:00)");
    CHECK(at(1768480496, "America/Sao_Paulo", "human") ==
          "Thursday, 15 January 2026, 09:34:56 (UTC-03:00)");
    CHECK(at(4118688000, "Europe/Berlin", "iso") == "2100-07-08T02:00:00+02:00");
    CHECK(at(0, "UTC", "iso") == "1970-01-01T00:00:00+00:00");
    CHECK(at(-1, "UTC", "iso") == "1969-12-31T23:59:59+00:00");
    CHECK(at(0, "UTC", "rfc") == "! format must be iso, unix or human");
    CHECK(at(0, "Nowhere", "iso").find("! unknown time zone 'Nowhere'") == 0);
}

TEST_CASE("the whole reading") {
    const auto reading = read_clock(1784118896, "America/New_York", "unix");
    REQUIRE(reading);
    CHECK(reading->iso == "2026-07-15T08:34:56-04:00");
    CHECK(reading->weekday == "Wednesday");
    CHECK(reading->offset == "-04:00");
    CHECK(reading->abbreviation == "EDT");
    CHECK(reading->dst);
    CHECK(reading->unix_time == 1784118896);
    CHECK(reading->timezone == "America/New_York");
}

TEST_CASE("offsets") {
    CHECK(offset_text(0) == "+00:00");
    CHECK(offset_text(-12600) == "-03:30");
    CHECK(offset_text(3208) == "+00:53:28");
}
