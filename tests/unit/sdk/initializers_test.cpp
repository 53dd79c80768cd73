// Members without a Field: `int n = 0` has a default, `int n` has none. Also compiled with another
// compiler and with -O3 (CMakeLists.txt).
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <toolhost/plugin.hpp>
#include <vector>

using namespace toolhost;
using nlohmann::json;

namespace {

enum class Level { low, high };
struct Point {
    int x;
    int y;
};

struct Required {
    bool flag;
    std::int8_t letter;
    int number;
    std::uint64_t big;
    float small_real;
    double real;
    long double long_real;
    Level level;
    std::array<int, 3> three;
    Point point;
    std::string text;
};

struct Zero {
    bool flag = false;
    std::int8_t letter = 0;
    int number = 0;
    std::uint64_t big = 0;
    float small_real = 0;
    double real{};
    long double long_real = 0;
    Level level = Level::low;
    std::array<int, 3> three = {};
    Point point{};
};

// Neighbours within one word, which optimizers tend to write together.
struct Alternating {
    bool a = false;
    bool b;
    bool c = false;
    bool d;
    std::string text = "x";
    std::int8_t e;
    std::int8_t f = 0;
    std::int16_t g;
    std::int32_t h = 0;
    std::int32_t i;
};

// Members that rule out constant evaluation.
struct Heavy {
    std::map<std::string, int> map;
    int number = 0;
    json anything;
    int needed;
    std::set<std::string> set;
};

struct Nested {
    std::vector<Alternating> list;
    bool deep = false;
};

struct Ones {
    std::uint8_t all = 0xFF;
    std::int32_t minus = -1;
    bool yes = true;
};

template <class T>
json required_of() {
    return schema_of<T>().value("required", json::array());
}

}  // namespace

TEST_CASE("a bare member without initializer is required") {
    const json required = required_of<Required>();
    CHECK(required.size() == 11);
    CHECK_THROWS_AS(static_cast<void>(read_json<Required>(json::object())), BadValue);
}

TEST_CASE("a bare member with its zero value as initializer is not required") {
    CHECK(required_of<Zero>() == json::array());
    const Zero read = read_json<Zero>(json::object());
    CHECK(read.number == 0);
    const json properties = schema_of<Zero>()["properties"];
    CHECK(properties["flag"]["default"] == false);
    CHECK(properties["number"]["default"] == 0);
    CHECK(properties["level"]["default"] == "low");
    CHECK(properties["three"]["default"] == json::array({0, 0, 0}));
    CHECK(properties["point"]["default"] == json::object({{"x", 0}, {"y", 0}}));
}

TEST_CASE("each member is examined separately") {
    CHECK(required_of<Alternating>() == json::array({"b", "d", "e", "g", "i"}));
    CHECK(required_of<Heavy>() == json::array({"map", "anything", "needed", "set"}));
    CHECK(required_of<Nested>() == json::array({"list"}));
    CHECK(required_of<Ones>() == json::array());
    CHECK(schema_of<Nested>()["properties"]["list"]["items"]["required"] ==
          required_of<Alternating>());
}

TEST_CASE("reading follows the schema") {
    const json given{{"b", true}, {"d", true}, {"e", 1}, {"g", 2}, {"i", 3}};
    const Alternating read = read_json<Alternating>(given);
    CHECK_FALSE(read.a);
    CHECK(read.b);
    CHECK(read.h == 0);
    for (const char* key : {"b", "d", "e", "g", "i"}) {
        CAPTURE(key);
        json lacking = given;
        lacking.erase(key);
        CHECK_THROWS_AS(static_cast<void>(read_json<Alternating>(lacking)), BadValue);
    }
}
