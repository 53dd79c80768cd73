#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <toolhost/plugin.hpp>
#include <variant>
#include <vector>

using namespace toolhost;

namespace {

template <class T>
std::string keys() {
    std::string all;
    T object{};
    detail::for_each_member(object, [&](std::string_view key, auto&) {
        all.append(all.empty() ? "" : " ").append(key);
    });
    return all;
}

struct Nothing {};
struct Inner {
    int x;
};
// Every kind of member, to check that all are counted.
struct Mixed {
    int alpha;
    std::string beta;
    std::vector<int> list;
    std::map<std::string, int> map;
    std::optional<std::string> maybe;
    std::optional<bool> maybe_bool;
    std::variant<int, std::string> either;
    nlohmann::json anything;
    Inner inner;
    std::array<int, 3> three;
    std::filesystem::path path;
    Literal<"a", "b"> literal;
    Field<std::string, "doc"> text;
    Field<std::vector<std::string>, "doc"> texts = {"a", "b"};
    Field<std::map<std::string, int>> numbers = {{"a", 1}};
    Field<nlohmann::json> json;
    Field<Inner> nested;
    Field<std::variant<int, bool>> choice;
    Field<std::optional<int>> option;
    Field<Literal<"a", "b">> mode = "b";
};
struct Many {
    int m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15, m16, m17, m18,
        m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32;
};
struct Renamed {
    Field<int, "", Name<"class">> class_;
    Field<int, "", Min<1>, Name<"max-items">, Max<9>> max_items;
};
template <class T>
struct Templated {
    T value;
    Field<T, "doc"> described;
};
struct value_known_name {
    int known_name;
    int object;
};

enum class Colour { red, green = 5, blue = 127, minus = -16 };
enum Plain : unsigned char { plain_a, plain_b };
enum Old { old_a, old_b };
constexpr auto tool_enum_names(Old) {
    return names<Old>({{old_a, "first"}, {old_b, "second"}});
}
enum class Flag : bool { off, on };

}  // namespace

TEST_CASE("members are named in the order of declaration") {
    CHECK(keys<Nothing>() == "");
    CHECK(keys<Inner>() == "x");
    CHECK(keys<Mixed>() ==
          "alpha beta list map maybe maybe_bool either anything inner three path literal text "
          "texts numbers json nested choice option mode");
    CHECK(keys<Templated<std::vector<int>>>() == "value described");
    CHECK(keys<value_known_name>() == "known_name object");
    struct Local {
        int here;
    };
    CHECK(keys<Local>() == "here");
}

TEST_CASE("32 members are counted") {
    CHECK(detail::member_count<Many> == 32);
    CHECK(keys<Many>().substr(0, 7) == "m01 m02");
    CHECK(keys<Many>().ends_with("m31 m32"));
}

TEST_CASE("Name sets a key that cannot be a member's name") {
    CHECK(keys<Renamed>() == "class max-items");
}

TEST_CASE("enumerators are found automatically, or listed") {
    CHECK(detail::enum_names<Colour>.size() == 4);
    CHECK(detail::name_of(Colour::minus) == "minus");
    CHECK(detail::name_of(Colour::green) == "green");
    CHECK(detail::name_of(Colour::blue) == "blue");
    CHECK(detail::name_of(static_cast<Colour>(9)) == std::nullopt);
    CHECK(detail::name_of(plain_b) == "plain_b");
    CHECK(detail::name_of(old_b) == "second");
    CHECK(detail::enum_names<Flag>.size() == 2);
    CHECK(detail::name_of(Flag::on) == "on");
}
