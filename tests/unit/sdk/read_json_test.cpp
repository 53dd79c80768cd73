// JSON to values and back, and errors for JSON that does not fit.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <toolhost/plugin.hpp>
#include <tuple>
#include <variant>
#include <vector>

using namespace toolhost;
using nlohmann::json;

namespace {

enum class Colour { red, green };
struct Inner {
    int x = 4;
    std::optional<std::string> note;
};
struct Outer {
    Field<int, "n"> needed;
    Field<double, "d"> half = 0.5;
    std::vector<Inner> list = {Inner{}};
    std::map<std::string, bool> map = {{"a", true}};
};

// Reads T from the text and writes it again.
template <class T>
std::string round(const char* text) {
    return write_json(read_json<T>(json::parse(text))).dump();
}

// The error for the text as a T, or an empty string.
template <class T>
std::string wrong(const char* text) {
    try {
        (void)read_json<T>(json::parse(text));
    } catch (const BadValue& bad) {
        return bad.what();
    }
    return "";
}

}  // namespace

TEST_CASE("values go both ways") {
    CHECK(round<int>("-7") == "-7");
    CHECK(round<int>("3.0") == "3");
    CHECK(round<std::uint64_t>("18446744073709551615") == "18446744073709551615");
    CHECK(round<double>("2") == "2.0");
    CHECK(round<bool>("true") == "true");
    CHECK(round<std::string>("\"\\u00e4\"") == "\"\xc3\xa4\"");
    CHECK(round<std::filesystem::path>("\"/a/b\"") == "\"/a/b\"");
    CHECK(round<std::nullptr_t>("null") == "null");
    CHECK(round<json>(R"({"a":[1,null]})") == R"({"a":[1,null]})");
    CHECK(round<Colour>("\"green\"") == "\"green\"");
    CHECK(round<Literal<"a", "b">>("\"b\"") == "\"b\"");
    CHECK(round<std::vector<bool>>("[true,false]") == "[true,false]");
    CHECK(round<std::array<int, 2>>("[1,2]") == "[1,2]");
    CHECK(round<std::set<int>>("[2,1,2]") == "[1,2]");
    CHECK(round<std::map<std::string, int>>(R"({"a":1})") == R"({"a":1})");
    CHECK(round<std::tuple<int, std::string>>(R"([1,"x"])") == R"([1,"x"])");
    CHECK(round<std::pair<int, bool>>("[1,true]") == "[1,true]");
    CHECK(round<std::vector<std::optional<int>>>("[1,null]") == "[1,null]");
    CHECK(round<std::variant<int, std::string>>("\"x\"") == "\"x\"");
    CHECK(round<std::variant<int, double>>("1.5") == "1.5");
    CHECK(round<Inner>(R"({"x":1,"note":"n"})") == R"({"note":"n","x":1})");
}

TEST_CASE("missing members keep their initial value") {
    CHECK(round<Inner>("{}") == R"({"x":4})");
    CHECK(round<Inner>(R"({"note":null})") == R"({"x":4})");
    CHECK(round<Outer>(R"({"needed":1})") ==
          R"({"half":0.5,"list":[{"x":4}],"map":{"a":true},"needed":1})");
    // A given value replaces the default.
    CHECK(round<Outer>(R"({"needed":1,"list":[],"map":{"b":false}})") ==
          R"({"half":0.5,"list":[],"map":{"b":false},"needed":1})");
}

TEST_CASE("integers stay in their range") {
    CHECK(wrong<int>("2147483648") ==
          "expected an integer from -2147483648 to 2147483647, got number 2147483648");
    CHECK(wrong<int>("2147483648.0") != "");
    CHECK(wrong<int>("-2147483649.0") != "");
    CHECK(wrong<int>("1.5") != "");
    CHECK(wrong<unsigned>("-1") != "");
    CHECK(wrong<std::uint8_t>("256") == "expected an integer from 0 to 255, got number 256");
    CHECK(wrong<std::int64_t>("9223372036854775808") != "");
    CHECK(wrong<std::int64_t>("9223372036854775807.0") != "");
    CHECK(wrong<std::int64_t>("-9223372036854775808.0") == "");
    CHECK(wrong<std::uint64_t>("1e300") != "");
    CHECK(wrong<int>("true") != "");
}

TEST_CASE("an error names pointer, rule and type") {
    CHECK(wrong<Inner>(R"({"x":"1"})") ==
          "/x: expected an integer from -2147483648 to 2147483647, got string \"1\"");
    CHECK(wrong<Outer>("{}") == "/needed: is required");
    CHECK(wrong<Outer>(R"({"needed":1,"list":[{},{"note":5}]})") ==
          "/list/1/note: expected a string, got number 5");
    CHECK(wrong<Outer>(R"({"needed":1,"map":{"a/b~c":0}})") ==
          "/map/a~1b~0c: expected a boolean, got number 0");
    CHECK(wrong<Outer>(R"({"needed":1,"extra":0})") == "/extra: is not a field of this tool");
    CHECK(wrong<Outer>("[]") == "expected an object, got array");
    CHECK(wrong<Colour>("\"blue\"") == "expected one of 'red', 'green', got string \"blue\"");
    CHECK(wrong<Literal<"a", "b">>("1") == "expected one of 'a', 'b', got number 1");
    CHECK(wrong<std::array<int, 2>>("[1]") == "expected an array of 2 items, got array");
    CHECK(wrong<std::map<std::string, int>>("[]") == "expected an object, got array");
    CHECK(wrong<std::vector<int>>("{}") == "expected an array, got object");
    CHECK(wrong<double>("\"1\"") == "expected a number, got string \"1\"");
    CHECK(wrong<std::nullptr_t>("0") == "expected null, got number 0");
    CHECK(wrong<std::variant<bool, std::string>>("[]") ==
          "matches no alternative: expected a boolean, got array; or expected a string, got array");
}

TEST_CASE("a long value is not repeated in the message") {
    const std::string text = '"' + std::string(100, 'x') + '"';
    CHECK(wrong<int>(text.c_str()).ends_with("got string"));
}

TEST_CASE("a lenient reader ignores unknown and missing members") {
    const auto read = read_json<Outer>(json{{"half", 2}, {"timeoutMs", 5}}, Reading::lenient);
    CHECK(read.needed == 0);
    CHECK(read.half == 2.0);
    CHECK_THROWS_AS((void)read_json<Outer>(json{{"half", "x"}}, Reading::lenient), BadValue);
}

TEST_CASE("values that JSON cannot express are null") {
    CHECK(write_json(std::numeric_limits<double>::infinity()).is_null());
    CHECK(write_json(static_cast<Colour>(9)) == 9);
    CHECK(write_json("literal") == "literal");
}
