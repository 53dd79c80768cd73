#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <toolhost/plugin.hpp>
#include <variant>
#include <vector>

using namespace toolhost;

namespace {
struct Point {
    int x = 1;
    int y = 2;
};
}  // namespace

TEST_CASE("a Field is used like its value") {
    const Field<double, "n"> number = 3;
    const Field<std::string, "s"> text = "abc";
    const Field<std::vector<int>, "v"> list = {1, 2, 3};
    const Field<std::optional<int>, "o"> maybe = 4;
    const Field<std::variant<int, std::string>, "e"> either = 5;
    const Field<Point, "p"> point;
    const Field<bool, "b"> yes = true;
    const Field<nlohmann::json, "j"> json = nlohmann::json{{"k", 1}};

    CHECK(number + 1 == 4.0);
    CHECK(number * number == 9.0);
    CHECK(text.size() == 3);
    CHECK(text == "abc");
    CHECK(text + "d" == "abcd");
    CHECK(std::string(text) == "abc");
    CHECK((std::ostringstream() << text).str() == "abc");
    int sum = 0;
    for (int item : list) sum += item;
    CHECK(sum == 6);
    const std::vector<int> copy = list;
    CHECK(copy == list);
    CHECK(maybe.has_value());
    CHECK(*maybe == 4);
    CHECK(std::get<int>(either) == 5);
    CHECK(std::visit([](const auto&) { return 1; }, either) == 1);
    CHECK(point.x + point.y == 3);
    CHECK((yes ? 1 : 0) == 1);
    const nlohmann::json plain = json.get();
    CHECK(plain.is_object());
}

TEST_CASE("a Field can be changed") {
    Field<int, "n"> number;
    CHECK(number == 0);
    ++number;
    number += 4;
    CHECK(number.get() == 5);
    number = 7;
    CHECK(number == 7);
    Field<std::string, "s"> text;
    text += "x";
    text = "y";
    CHECK(text == "y");
}

TEST_CASE("a Field knows whether it was initialized") {
    CHECK_FALSE(Field<int>().has_default());
    CHECK(Field<int>(0).has_default());
    CHECK_FALSE(Field<std::vector<int>>().has_default());
    CHECK(Field<std::vector<int>>(empty).has_default());
    CHECK(Field<std::vector<int>>(empty).empty());
    const Field<bool> no = empty;
    CHECK(no.has_default());
    CHECK(no == false);
    const Field<std::map<std::string, int>> map = {{"a", 1}};
    CHECK(map.has_default());
    CHECK(map.at("a") == 1);
}

TEST_CASE("a Field refuses lossy conversions") {
    CHECK(std::is_convertible_v<int, Field<double>>);
    CHECK_FALSE(std::is_convertible_v<double, Field<int>>);
    CHECK_FALSE(std::is_convertible_v<const char*, Field<bool>>);
    CHECK_FALSE(std::is_convertible_v<int, Field<std::string>>);
}

TEST_CASE("a Literal is one of its texts") {
    using Mode = Literal<"fast", "exact">;
    Mode mode;
    CHECK(mode == "fast");
    mode = "exact";
    CHECK(mode == "exact");
    CHECK(mode != "fast");
    CHECK(mode == std::string("exact"));
    CHECK(mode == Mode("exact"));
    CHECK(mode.index() == 1);
    CHECK(mode.str() == "exact");
    CHECK_THROWS_WITH_AS(mode = "slow", "'slow' is not in the set of this Literal",
                         std::invalid_argument);
    const Field<Mode, "how"> field = "exact";
    CHECK(field == "exact");
}
