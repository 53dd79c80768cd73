#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <toolhost/dump_json.hpp>
#include <toolhost/free_json.hpp>

namespace {

using nlohmann::json;
using toolhost::detail::dump;
using toolhost::detail::dump_slowly;
using toolhost::detail::free_json;

TEST_CASE("a value is written as nlohmann writes it") {
    for (const json& value :
         {json(nullptr), json(true), json(0), json(-1), json(1.5), json(1e300), json(0.1),
          json(std::numeric_limits<std::int64_t>::min()),
          json(std::numeric_limits<std::uint64_t>::max()),
          json(std::numeric_limits<double>::infinity()), json(""), json::array(), json::object(),
          json::parse(R"({"b": [1, [], {}, {"c": null}], "a\"\n": "\u0001", "": [[2], "x"]})")}) {
        CHECK(dump(value) == dump_slowly(value));
    }
}

TEST_CASE("every byte and every pair of bytes, alone and within text") {
    for (int first = 0; first < 256; ++first) {
        std::string text = "ab";
        text += static_cast<char>(first);
        CHECK(dump(text) == dump_slowly(text));
        for (int second = 0; second < 256; ++second) {
            std::string pair = text;
            pair += static_cast<char>(second);
            if (dump(pair) != dump_slowly(pair)) FAIL(first << ' ' << second);
            pair += "\xBF\x80z";
            if (dump(pair) != dump_slowly(pair)) FAIL(first << ' ' << second << " and more");
            pair.insert(3, "\xA0");
            if (dump(pair) != dump_slowly(pair)) FAIL(first << ' ' << second << " with A0 between");
        }
    }
}

TEST_CASE("keys are written like texts") {
    CHECK(dump({{"\xE9\"", "\xC3\xA9"}}) == dump_slowly({{"\xE9\"", "\xC3\xA9"}}));
}

TEST_CASE("short and long texts are written alike") {
    for (std::size_t size = 0; size < 70; ++size) {
        const std::string plain(size, 'x');
        CHECK(dump(plain) == '"' + plain + '"');
        CHECK(dump(plain + '\n') == '"' + plain + "\\n\"");
    }
}

TEST_CASE("a freed value is empty and keeps its type") {
    json object{{"a", {{"b", {1, 2, {{"c", "text"}}}}}}, {"d", nullptr}};
    json array{1, {2, {3}}, {{"a", 1}}}, text = "as it was";
    for (auto* value : {&object, &array, &text}) free_json(*value);
    CHECK(object == json::object());
    CHECK(array == json::array());
    CHECK(text == "as it was");
}

}  // namespace
