#include <doctest/doctest.h>
#include <fstream>

#include "clock/zone_files.hpp"

using namespace data_tools;
using namespace data_tools::clock;

namespace {

constexpr std::int64_t january_2026 = 1768478400;  // 2026-01-15T12:00:00Z
constexpr std::int64_t july_2026 = 1784116800;     // 2026-07-15T12:00:00Z

std::string bytes(std::initializer_list<int> values) {
    std::string out;
    for (const int v : values) out += static_cast<char>(v);
    return out;
}

// Version, then the six counts: isut, isstd, leap, transitions, types, letters.
std::string header(char version, int transitions, int types, int letters) {
    std::string out = "TZif";
    out += version;
    out += std::string(15, '\0');
    for (const int count : {0, 0, 0, transitions, types, letters}) {
        out += bytes({0, 0, count >> 8, count & 255});
    }
    return out;
}

// One type, +01:00 "CET", no transition, and a footer.
std::string small_zone(const std::string& footer) {
    const std::string type = bytes({0, 0, 0x0e, 0x10, 0, 0}) + std::string("CET\0", 4);
    return header('2', 0, 1, 4) + type + header('2', 0, 1, 4) + type + footer;
}

}  // namespace

TEST_CASE("POSIX rules: north, south, half hours, no daylight saving") {
    const auto berlin = parse_posix_rule("CET-1CEST,M3.5.0,M10.5.0/3");
    REQUIRE(berlin);
    CHECK(berlin->at(january_2026).offset == 3600);
    CHECK(berlin->at(july_2026).offset == 7200);
    CHECK(berlin->at(july_2026).dst);
    CHECK(berlin->at(1774745999).abbreviation == "CET");   // 2026-03-29T00:59:59Z
    CHECK(berlin->at(1774746000).abbreviation == "CEST");  // one second later
    CHECK(berlin->at(1792889999).abbreviation == "CEST");  // 2026-10-25T00:59:59Z
    CHECK(berlin->at(1792890000).abbreviation == "CET");
    const auto sydney = parse_posix_rule("AEST-10AEDT,M10.1.0,M4.1.0/3");
    REQUIRE(sydney);
    CHECK(sydney->at(january_2026).abbreviation == "AEDT");
    CHECK(sydney->at(july_2026).abbreviation == "AEST");
    const auto tehran = parse_posix_rule("<+0330>-3:30");
    REQUIRE(tehran);
    CHECK(tehran->at(july_2026).offset == 12600);
    CHECK(tehran->at(july_2026).abbreviation == "+0330");
    const auto lord_howe = parse_posix_rule("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0");
    REQUIRE(lord_howe);
    CHECK(lord_howe->at(january_2026).offset == 39600);
    CHECK(lord_howe->at(july_2026).offset == 37800);
    const auto nuuk = parse_posix_rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0");
    REQUIRE(nuuk);
    CHECK(nuuk->at(july_2026).offset == -3600);
}

TEST_CASE("POSIX rules by day of the year") {
    const auto julian = parse_posix_rule("AAA0BBB,J60/0,J300/0");
    const auto plain = parse_posix_rule("AAA0BBB,59/0,299/0");
    REQUIRE(julian);
    REQUIRE(plain);
    // The first of March is J60 in any year, but day 60 of leap years and day 59 of others.
    CHECK(julian->at(1835395200 - 1).dst == false);  // 2028-02-28T23:59:59Z
    CHECK(julian->at(1835395200).dst == false);      // 2028-02-29
    CHECK(julian->at(1835481600).dst);               // 2028-03-01
    CHECK(plain->at(1835395200).dst);                // 2028-02-29
}

TEST_CASE("invalid POSIX rules") {
    for (const char* text :
         {"", "AB0", "CET", "<CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
          "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5",
          "CET-1CEST,366,5", "CET-168", "CET-1:60", "CET-1CEST,M3.5.0,M10.5.0x", "CET-99999999999",
          "CET-1CEST,M3.5.0/,M10.5.0", "CET-1CEST,M3.5,M10.5.0"}) {
        CHECK_MESSAGE(!parse_posix_rule(text), text);
    }
}

TEST_CASE("system zones: winter, summer, and long after 2037") {
    const auto berlin = load_zone("Europe/Berlin");
    REQUIRE(berlin);
    CHECK(berlin->at(january_2026).offset == 3600);
    CHECK(berlin->at(july_2026).offset == 7200);
    CHECK(berlin->at(4118688000).offset == 7200);   // 2100-07-08
    CHECK(berlin->at(4103136000).offset == 3600);   // 2100-01-09
    CHECK(berlin->at(-3000000000).offset == 3208);  // local mean time
    const auto kolkata = load_zone("Asia/Kolkata");
    REQUIRE(kolkata);
    CHECK(kolkata->at(january_2026).offset == 19800);
    const auto kathmandu = load_zone("Asia/Kathmandu");
    REQUIRE(kathmandu);
    CHECK(kathmandu->at(january_2026).offset == 20700);
    const auto new_york = load_zone("America/New_York");
    REQUIRE(new_york);
    CHECK(new_york->at(january_2026).abbreviation == "EST");
    CHECK(new_york->at(4118688000).abbreviation == "EDT");
    CHECK(load_zone("America/Argentina/Buenos_Aires"));
    CHECK(load_zone("Etc/GMT+5"));
    CHECK(load_zone("UTC"));
}

TEST_CASE("every system zone can be read") {
    const auto names = zone_names();
    CHECK(names.size() > 300);
    for (const std::string& name : names) {
        const auto zone = load_zone(name);
        if (!zone) {
            // zone.tab etc. are not zones, and are not suggested.
            CHECK_MESSAGE(zone.error().find("unknown time zone") == 0, name);
            continue;
        }
        const LocalType type = zone->at(january_2026);
        CHECK_MESSAGE(type.offset >= -12 * 3600, name);
        CHECK_MESSAGE(type.offset <= 14 * 3600, name);
    }
}

TEST_CASE("zone names cannot leave the folder") {
    for (const char* name : {"", "/etc/passwd", "../etc/passwd", "Europe/../UTC", "Europe//Berlin",
                             "Europe/", "/UTC", "a/b/c/d", "Europe/Berlin\n", "Eur ope", ".", "..",
                             "C:\\x", "UTC\xc3\xa9", "$TZ", ":UTC"}) {
        CHECK_MESSAGE(!is_zone_name(name), name);
        CHECK_MESSAGE(!load_zone(name), name);
    }
    CHECK_FALSE(is_zone_name(std::string(65, 'a')));
    CHECK_FALSE(is_zone_name(std::string("UTC\0", 4)));
    for (const char* name : {"posix/UTC", "right/UTC", "localtime", "posixrules", "Europe"}) {
        CHECK_MESSAGE(!load_zone(name), name);
    }
}

TEST_CASE("unknown zones get suggestions") {
    CHECK(load_zone("Europe/Berln").error().find("Europe/Berlin") != std::string::npos);
    CHECK(load_zone("europe/berlin").error().find("Europe/Berlin") != std::string::npos);
    CHECK(load_zone("Berlin").error().find("Europe/Berlin") != std::string::npos);
    CHECK(load_zone("Europe/Tokio").error().find("Asia/Tokyo") != std::string::npos);
    CHECK(load_zone("US/Pacifc").error().find("Did you mean US/Pacific") != std::string::npos);
    CHECK(load_zone("Qqqqqq/Zzzzzzz").error().find("Use a name such as") != std::string::npos);
}

TEST_CASE("without tzdata UTC is available") {
    CHECK(load_zone("UTC", "/nonexistent"));
    CHECK(load_zone("Europe/Berlin", "/nonexistent").error().find("no time zone data") !=
          std::string::npos);
    CHECK(zone_names("/nonexistent").empty());
}

TEST_CASE("damaged files are refused") {
    const std::string good = small_zone("\nCET-1\n");
    REQUIRE(Zone::parse(good));
    CHECK(Zone::parse(good)->at(0).abbreviation == "CET");
    CHECK(Zone::parse(small_zone("\n\n"))->at(0).offset ==
          3600);  // without a rule the last type applies
    for (std::size_t size = 0; size + 8 < good.size(); ++size) {
        CHECK_FALSE(Zone::parse(good.substr(0, size)));
    }
    CHECK_FALSE(Zone::parse(small_zone("\nCET-1")));
    CHECK_FALSE(Zone::parse(small_zone("\nnonsense\n")));
    CHECK_FALSE(Zone::parse("TZjf" + good.substr(4)));
    CHECK_FALSE(Zone::parse(header('2', 65535, 255, 65535)));
    // A transition to a missing type.
    const std::string type = bytes({0, 0, 0x0e, 0x10, 0, 0}) + std::string("CET\0", 4);
    CHECK_FALSE(Zone::parse(header(0, 1, 1, 4) + bytes({0, 0, 0, 1, 9}) + type));
    CHECK(Zone::parse(header(0, 1, 1, 4) + bytes({0, 0, 0, 1, 0}) + type));  // version 1
}
