// Exact schemas of types.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <toolhost/plugin.hpp>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

using namespace toolhost;
using nlohmann::json;

namespace {

enum class Colour { red, green };
struct Date {
    int day;
};

template <class T>
void check(const char* expected) {
    CHECK(schema_of<T>().dump() == json::parse(expected).dump());
}

// A Field adds a description and rules to the schema.
template <class T>
json ruled() {
    return schema_of<T>();
}

}  // namespace

template <>
struct toolhost::Custom<Date> {
    static json schema() { return {{"type", "string"}, {"format", "date"}}; }
    static Date read(const json& value) {
        if (!value.is_string()) throw std::runtime_error("expected a date");
        return {std::stoi(value.get<std::string>())};
    }
    static json write(const Date& date) { return std::to_string(date.day); }
};

TEST_CASE("scalars") {
    check<std::string>(R"({"type": "string"})");
    check<std::filesystem::path>(R"({"type": "string"})");
    check<bool>(R"({"type": "boolean"})");
    check<double>(R"({"type": "number"})");
    check<float>(R"({"type": "number"})");
    check<std::nullptr_t>(R"({"type": "null"})");
    check<json>("{}");
}

TEST_CASE("integers carry their range") {
    check<std::int8_t>(R"({"type": "integer", "minimum": -128, "maximum": 127})");
    check<std::uint8_t>(R"({"type": "integer", "minimum": 0, "maximum": 255})");
    check<std::int16_t>(R"({"type": "integer", "minimum": -32768, "maximum": 32767})");
    check<int>(R"({"type": "integer", "minimum": -2147483648, "maximum": 2147483647})");
    check<unsigned>(R"({"type": "integer", "minimum": 0, "maximum": 4294967295})");
    // Limits that a double cannot represent are omitted.
    check<std::int64_t>(R"({"type": "integer"})");
    check<std::uint64_t>(R"({"type": "integer", "minimum": 0})");
}

TEST_CASE("containers") {
    const char* strings = R"({"type": "array", "items": {"type": "string"}})";
    check<std::vector<std::string>>(strings);
    check<std::deque<std::string>>(strings);
    check<std::list<std::string>>(strings);
    check<std::vector<bool>>(R"({"type": "array", "items": {"type": "boolean"}})");
    check<std::set<std::string>>(
        R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})");
    check<std::array<double, 3>>(
        R"({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3})");
    check<std::map<std::string, bool>>(
        R"({"type": "object", "additionalProperties": {"type": "boolean"}})");
    check<std::unordered_map<std::string, json>>(
        R"({"type": "object", "additionalProperties": {}})");
    check<std::tuple<bool, std::string>>(R"({"type": "array", "minItems": 2, "maxItems": 2,
        "prefixItems": [{"type": "boolean"}, {"type": "string"}]})");
    check<std::pair<bool, bool>>(R"({"type": "array", "minItems": 2, "maxItems": 2,
        "prefixItems": [{"type": "boolean"}, {"type": "boolean"}]})");
}

TEST_CASE("choices") {
    check<Colour>(R"({"type": "string", "enum": ["red", "green"]})");
    check<Literal<"a", "b">>(R"({"type": "string", "enum": ["a", "b"]})");
    check<std::variant<bool, std::string>>(
        R"({"anyOf": [{"type": "boolean"}, {"type": "string"}]})");
    // Not a member, so it cannot be left out: null represents empty.
    check<std::vector<std::optional<bool>>>(
        R"({"type": "array", "items": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}})");
}

TEST_CASE("a custom type") {
    check<Date>(R"({"type": "string", "format": "date"})");
    CHECK(read_json<Date>(json("7")).day == 7);
    CHECK(write_json(Date{8}) == json("8"));
    CHECK_THROWS_WITH((void)read_json<std::vector<Date>>(json{"1", 2}), "/1: expected a date");
}

TEST_CASE("rules") {
    CHECK(ruled<Field<int, "doc", Min<1>, Max<10>>>() ==
          json::parse(R"({"type": "integer", "minimum": 1, "maximum": 10, "description": "doc"})"));
    CHECK(ruled<Field<double, "", ExclusiveMin<0>, ExclusiveMax<0.5>, MultipleOf<0.25>>>() ==
          json::parse(R"({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5,
                          "multipleOf": 0.25})"));
    CHECK(ruled<Field<std::string, "", MinLength<1>, MaxLength<9>, Pattern<"^[a-z]+$">,
                      Format<"uri">, Title<"T">>>() ==
          json::parse(R"({"type": "string", "minLength": 1, "maxLength": 9, "format": "uri",
                          "pattern": "^[a-z]+$", "title": "T"})"));
    CHECK(ruled<Field<std::vector<bool>, "", MinItems<1>, MaxItems<2>, UniqueItems>>() ==
          json::parse(R"({"type": "array", "items": {"type": "boolean"}, "minItems": 1,
                          "maxItems": 2, "uniqueItems": true})"));
    CHECK(ruled<Field<std::map<std::string, bool>, "", MinProperties<1>, MaxProperties<2>>>() ==
          json::parse(R"({"type": "object", "additionalProperties": {"type": "boolean"},
                          "minProperties": 1, "maxProperties": 2})"));
    CHECK(ruled<Field<std::string, "", Keyword<"examples", R"(["a", {"b": 1}])">>>() ==
          json::parse(R"({"type": "string", "examples": ["a", {"b": 1}]})"));
    CHECK(ruled<std::vector<Field<std::string, "one", MinLength<1>>>>() ==
          json::parse(R"({"type": "array", "items": {"type": "string", "minLength": 1,
                          "description": "one"}})"));
    CHECK(ruled<Field<std::uint64_t, "", Max<18446744073709551615U>>>().at("maximum") ==
          18446744073709551615U);
}
