#include "host/base/json_text.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;

TEST_CASE("an error has a position") {
    auto fault = parse_json("{\n  \"a\": tru\n}");
    REQUIRE_FALSE(fault);
    CHECK(fault.error().kind == JsonFault::Kind::syntax);
    CHECK(fault.error().message.starts_with("line 2, column "));
    CHECK(fault.error().message.find("[json.exception") == std::string::npos);
    CHECK_FALSE(parse_json(""));
    CHECK_FALSE(parse_json("1e999"));
    CHECK_FALSE(parse_json("{} {}"));
}

TEST_CASE("depth is limited, regardless of brackets in strings") {
    const std::string deep(100000, '[');
    auto fault = parse_json(deep);
    REQUIRE_FALSE(fault);
    CHECK(fault.error().kind == JsonFault::Kind::too_deep);
    CHECK(parse_json("\"" + deep + "\\\"[\""));
    std::string most(kMaxJsonDepth, '[');
    most += std::string(kMaxJsonDepth, ']');
    CHECK(parse_json(most));
    CHECK_FALSE(parse_json("[" + most + "]"));
}

TEST_CASE("values are counted exactly, before parsing") {
    auto repeated = [](const std::string& text, int times) {
        std::string out;
        for (int i = 0; i < times; ++i) out += text;
        return out;
    };
    const auto has_too_many = [](const std::string& text) {
        return has_more_values(text, kMaxJsonValues);
    };
    CHECK(has_too_many('[' + repeated("[],", 600'000) + "1]"));
    CHECK(has_too_many('[' + repeated("1,", 1'000'001) + "1]"));
    CHECK_FALSE(has_too_many('[' + repeated("1,", 900'000) + "1]"));
    CHECK_FALSE(has_too_many("[\"" + repeated("\\\",[", 1'000'000) + "\"]"));
    CHECK(has_too_many("[\"\\\\\"" + repeated(",[]", 600'000) + "]"));
    auto fault = parse_json('[' + repeated("[],", 600'000) + "1]");
    REQUIRE_FALSE(fault);
    CHECK(fault.error().kind == JsonFault::Kind::too_large);
    CHECK(fault.error().message == "it has more than 1000000 values");
    CHECK(parse_json("[1,2,3]", {.bytes = 7, .values = 4}));
    CHECK_FALSE(parse_json("[1,2,3]", {.bytes = 6}));
    CHECK_FALSE(parse_json("[1,2,3]", {.values = 3}));
}

TEST_CASE("UTF-8 is checked byte by byte") {
    for (std::string good : {"", "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                             "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
        CAPTURE(good);
        CHECK(find_invalid_utf8(good) == std::string::npos);
    }
    for (std::string bad :
         {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3", "\xE2\x82", "\xE2\x28\xA1", "\xFF"}) {
        CAPTURE(bad.size());
        CHECK(find_invalid_utf8("ok" + bad) == 2);
    }
    auto fault = parse_json("\"\xFF\"");
    REQUIRE_FALSE(fault);
    CHECK(fault.error().kind == JsonFault::Kind::not_utf8);
}

TEST_CASE("dump never throws") {
    CHECK(dump(nlohmann::json("a\xFF")) == "\"a\xEF\xBF\xBD\"");
}
