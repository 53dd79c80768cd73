#include "host/cli/input.hpp"

#include "tests/unit/doctest.hpp"

#include <sstream>

using namespace toolhost;
using namespace toolhost::cli;

namespace {

const Json kSchema = Json::parse(R"({
  "type": "object",
  "properties": {
    "text": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"},
    "on": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "inner": {"$ref": "#/$defs/inner"}, "mode": {"enum": ["a", "b"]}, "any": {},
    "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    "maybe": {"type": ["integer", "null"]},
    "map": {"type": "object", "additionalProperties": {"type": "number"}}
  },
  "$defs": {"inner": {"type": "object", "properties": {"deep": {"type": "integer"}}}}
})");

Json read(const std::vector<std::string>& words, const std::string& standard_input = "") {
    std::istringstream in(standard_input);
    auto input = read_input(words, kSchema, in);
    return input ? *input : Json("fault: " + input.error().message);
}

}  // namespace

TEST_CASE("pairs are typed by the schema") {
    struct Row {
        const char *word, *expected;
    };
    for (auto [word, expected] : {
             Row{"text=5", R"({"text":"5"})"},
             Row{"text=", R"({"text":""})"},
             Row{"text=a=b", R"({"text":"a=b"})"},
             Row{"count=5", R"({"count":5})"},
             Row{"count=-5", R"({"count":-5})"},
             Row{"count=five", R"({"count":"five"})"},  // the schema then reports the error
             Row{"count=5.5", R"({"count":"5.5"})"},
             Row{"ratio=1e3", R"({"ratio":1000.0})"},
             Row{"ratio=2", R"({"ratio":2})"},
             Row{"on=true", R"({"on":true})"},
             Row{"on=yes", R"({"on":"yes"})"},
             Row{"mode=a", R"({"mode":"a"})"},
             Row{"any=5", R"({"any":5})"},
             Row{"any=five", R"({"any":"five"})"},
             Row{"any={\"a\":1}", R"({"any":{"a":1}})"},
             Row{"either=5", R"({"either":5})"},
             Row{"either=x", R"({"either":"x"})"},
             Row{"maybe=null", R"({"maybe":null})"},
             Row{"inner.deep=1", R"({"inner":{"deep":1}})"},
             Row{"map.x=1.5", R"({"map":{"x":1.5}})"},
             Row{"text:=5", R"({"text":5})"},
             Row{"tags:=[\"a\"]", R"({"tags":["a"]})"},
             Row{"tags=5", R"({"tags":["5"]})"},
             Row{"tags=[\"a\",\"b\"]", R"({"tags":["a","b"]})"},
             Row{"tags=[x", R"({"tags":["[x"]})"},
             Row{"any=12345678901234567890123", R"({"any":"12345678901234567890123"})"},
             Row{"numbers=5", R"({"numbers":[5]})"},
             Row{"unknown=5", R"({"unknown":5})"},
             Row{"text=@@home", R"({"text":"@home"})"},
             Row{"a\\.b=1", R"({"a.b":1})"},
             Row{"a\\=b=1", R"({"a=b":1})"},
         }) {
        const auto& shown_word = word;
        CAPTURE(shown_word);
        CHECK(read({word}) == Json::parse(expected));
    }
}

TEST_CASE("pairs are combined") {
    CHECK(read({"count=1", "inner.deep=2", "inner.other=x"}) ==
          Json::parse(R"({"count":1,"inner":{"deep":2,"other":"x"}})"));
    CHECK(read({"tags=a", "tags=b"}) == Json::parse(R"({"tags":["a","b"]})"));
    CHECK(read({"text=a", "text=b"}) == "fault: 'text' is given twice");
    CHECK(read({"text=a", "text.b=c"}).get<std::string>().starts_with("fault: 'b' is a field of"));
    CHECK(read({}) == Json::object());
}

TEST_CASE("the whole input as JSON") {
    CHECK(read({R"( {"a": 1})"}) == Json{{"a", 1}});
    CHECK(read({"-"}, R"({"a": 2})") == Json{{"a", 2}});
    CHECK(read({"{"}).get<std::string>().starts_with("fault: the input is not JSON"));
    CHECK(read({"-"}, "x").get<std::string>().starts_with("fault: the standard input is not JSON"));
    CHECK(read({"@/no/such/file"}).get<std::string>().starts_with("fault: cannot read /no/such"));
    CHECK(read({"text=@/no/such"}).get<std::string>().starts_with("fault: cannot read /no/such"));
    CHECK(read({"count:=x"}).get<std::string>().starts_with("fault: the value of count"));
    CHECK(read({"words"}).get<std::string>().starts_with("fault: 'words' is neither"));
    CHECK(read({"=5"}).get<std::string>().starts_with("fault: '=5' is neither"));
}
