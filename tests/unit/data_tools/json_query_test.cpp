#include "json/query.hpp"

#include <doctest/doctest.h>

using namespace data_tools::json;

namespace {

const Value data = Value::parse(R"({
    "a": {"b": [{"c": 1}, {"c": 2}, {"d": 3}]},
    "items": [{"name": "x", "price": 5, "tags": ["p"]},
              {"name": "y", "price": 20, "tags": ["q", "r"]},
              {"name": "z", "price": 15}],
    "nested": [[1, 2], [3], 4, [[5]]],
    "n": [0, 1, 2, 3, 4],
    "odd key": {"x.y": 1, "": 2, "t~u/v": 3},
    "empty": [], "zero": 0, "no": false, "nil": null, "text": "h\u00e9llo"
})");

std::string ask(std::string_view query) {
    const auto result = run_query(query, data);
    return result ? result->dump() : "! " + result.error();
}

bool fails(std::string_view query, const std::string& words) {
    const std::string text = ask(query);
    const bool ok = text.rfind("! ", 0) == 0 && text.find(words) != std::string::npos;
    if (!ok) MESSAGE(std::string(query) << " gave: " << text);
    return ok;
}

}  // namespace

TEST_CASE("JSON Pointer") {
    CHECK(ask("/a/b/1/c") == "2");
    CHECK(ask("/odd key/x.y") == "1");
    CHECK(ask("/odd key/") == "2");
    CHECK(ask("/odd key/t~0u~1v") == "3");
    CHECK(ask("/nil") == "null");
    CHECK(ask("") == data.dump());
    CHECK(fails("/itms", "position 2: no key 'itms' at the top. Did you mean items?"));
    CHECK(fails("/a/b/7", "position 6: no index 7 at /a/b: it has 3 items"));
    CHECK(fails("/a/b/x", "'x' is not an index"));
    CHECK(fails("/a/b/-", "not an index"));
    CHECK(fails("/a/b/01", "not an index"));
    CHECK(fails("/zero/x", "/zero is number, which has no members"));
    CHECK(fails("/odd key/~2", "position 10: '~'"));
}

TEST_CASE("JMESPath: fields and indexes") {
    CHECK(ask("a.b[0].c") == "1");
    CHECK(ask("a.b[-2].c") == "2");
    CHECK(ask("a.b[9]") == "null");
    CHECK(ask("a.x.y.z") == "null");
    CHECK(ask("\"odd key\".\"x.y\"") == "1");
    CHECK(ask("@.zero") == "0");
    CHECK(ask("nested[0][1]") == "2");
    CHECK(ask(" a . b [ 0 ] . c ") == "1");
}

TEST_CASE("JMESPath: projections and slices") {
    CHECK(ask("items[*].name") == R"(["x","y","z"])");
    CHECK(ask("items[*].tags[0]") == R"(["p","q"])");
    CHECK(ask("items[*].tags[]") == R"(["p","q","r"])");
    CHECK(ask("a.*[0].c") == "[1]");
    CHECK(ask("a.b[*].c | [0]") == "1");
    CHECK(ask("a.b[*].c[0]") == "[]");
    CHECK(ask("n[1:3]") == "[1,2]");
    CHECK(ask("n[::2]") == "[0,2,4]");
    CHECK(ask("n[::-1]") == "[4,3,2,1,0]");
    CHECK(ask("n[-2:]") == "[3,4]");
    CHECK(ask("n[:99]") == "[0,1,2,3,4]");
    CHECK(ask("n[3:1:-1]") == "[3,2]");
    CHECK(ask("items[:2].price") == "[5,20]");
    CHECK(ask("nested[]") == "[1,2,3,4,[5]]");
    CHECK(ask("nested[][]") == "[1,2,3,4,5]");
    CHECK(ask("zero[*]") == "null");
    CHECK(ask("empty[*].x") == "[]");
}

TEST_CASE("JMESPath: filters") {
    CHECK(ask("items[?price > `10`].name") == R"(["y","z"])");
    CHECK(ask("items[?name=='y'].price") == "[20]");
    CHECK(ask("items[?name==`y`].price") == "[20]");
    CHECK(ask("items[?name==`\"y\"`] | [0].price") == "20");
    CHECK(ask("items[?price >= `5` && price < `20`].name") == R"(["x","z"])");
    CHECK(ask("items[?name=='x' || name=='z'].price") == "[5,15]");
    CHECK(ask("items[?!tags].name") == R"(["z"])");
    CHECK(ask("items[?tags[1]].name") == R"(["y"])");
    CHECK(ask("items[?contains(tags || `[]`, 'q')].name") == R"(["y"])");
    CHECK(ask("items[?name > `1`]") == "[]");  // only numbers are ordered
    CHECK(ask("n[?@ != `2`]") == "[0,1,3,4]");
}

TEST_CASE("JMESPath: or, and, not, pipe, multiselect, literals") {
    CHECK(ask("missing || zero") == "0");
    CHECK(ask("empty || text") == "\"h\u00e9llo\"");
    CHECK(ask("zero || text") == "0");  // zero is true
    CHECK(ask("no && zero") == "false");
    CHECK(ask("!no") == "true");
    CHECK(ask("(missing || a).b[0].c") == "1");
    CHECK(ask("items[0].[name, price]") == R"(["x",5])");
    CHECK(ask("items[*].{n: name, \"p q\": price} | [1]") == R"({"n":"y","p q":20})");
    CHECK(ask("[zero, no]") == "[0,false]");
    CHECK(ask("{z: zero}") == R"({"z":0})");
    CHECK(ask("`{\"k\": [1]}`.k[0]") == "1");
    CHECK(ask("'it\\'s'") == "\"it's\"");
    CHECK(ask("missing.[a]") == "null");
    CHECK(ask("zero == `0`") == "true");
}

TEST_CASE("JMESPath: functions") {
    CHECK(ask("length(@)") == "10");
    CHECK(ask("length(text)") == "5");
    CHECK(ask("length(items)") == "3");
    CHECK(ask("keys(a)") == R"(["b"])");
    CHECK(ask("items[0] | keys(@)") == R"(["name","price","tags"])");
    CHECK(ask("values(a) | length(@)") == "1");
    CHECK(ask("type(a)") == "\"object\"");
    CHECK(ask("sort(items[*].price)") == "[5,15,20]");
    CHECK(ask("reverse(n)") == "[4,3,2,1,0]");
    CHECK(ask("min(n)") == "0");
    CHECK(ask("max(items[*].name)") == "\"z\"");
    CHECK(ask("max(empty)") == "null");
    CHECK(ask("sum(n)") == "10");
    CHECK(ask("sum(`[0.5, 1]`)") == "1.5");
    CHECK(ask("avg(n)") == "2.0");
    CHECK(ask("avg(empty)") == "null");
    CHECK(ask("to_string(n)") == "\"[0,1,2,3,4]\"");
    CHECK(ask("to_number('12.5')") == "12.5");
    CHECK(ask("to_number('x')") == "null");
    CHECK(ask("contains(text, 'llo')") == "true");
    CHECK(fails("lenth(@)", "position 1: unknown function 'lenth'. Did you mean length?"));
    CHECK(fails("a.b | keys(@)", "position 7: keys takes an object, not array"));
    CHECK(fails("length(zero)", "not number"));
    CHECK(fails("sum(items)", "array of numbers"));
    CHECK(fails("length()", "takes 1 argument(s), not 0"));
    CHECK(fails("contains(a)", "takes 2 argument(s), not 1"));
}

TEST_CASE("errors contain the position in the query") {
    CHECK(fails("a..b", "position 3: expected a key after '.', found ."));
    CHECK(fails("a.0", "write [0] for an index"));
    CHECK(fails("a.", "position 3"));
    CHECK(fails("a[", "position 3"));
    CHECK(fails("a[1", "position 4"));
    CHECK(fails("a[1 2]", "position 5: unexpected 2"));
    CHECK(fails("a[::0]", "step cannot be 0"));
    CHECK(fails("a[1:2:3:4]", "start:stop:step"));
    CHECK(fails("a]", "position 2: unexpected ]"));
    CHECK(fails("a b", "position 3: unexpected b"));
    CHECK(fails("a = b", "compare with =="));
    CHECK(fails("a & b", "and is &&"));
    CHECK(fails("'abc", "position 1: the quote ' is not closed"));
    CHECK(fails("\"abc", "not closed"));
    CHECK(fails("`{`", "position 1"));
    CHECK(fails("\"\\x\"", "not valid JSON"));
    CHECK(fails("a[-]", "not an index"));
    CHECK(fails("a[99999999999]", "not an index"));
    CHECK(fails("{a}", "expected ':'"));
    CHECK(fails("{1: a}", "expected a key"));
    CHECK(fails("(a", "expected )"));
    CHECK(fails("|| a", "position 1"));
    CHECK(fails("#", "unexpected character '#'"));
    CHECK(fails("\"a\"(b)", "position 4: unexpected ("));
    CHECK(fails("   ", "unexpected end of the query"));
}

TEST_CASE("queries are limited in length, depth and work") {
    CHECK(fails(std::string(1001, 'a'), "longer than 1000"));
    CHECK(fails(std::string(400, '('), "nested too deep"));
    CHECK(fails(std::string(400, '!') + "a", "nested too deep"));
    CHECK(fails(std::string(400, '[') + "a", "nested too deep"));
    std::string doubling = "@";
    for (int k = 0; k < 60; ++k) doubling += "|[@,@]";
    CHECK(fails(doubling, "too many values"));
    std::string steps = "a";
    for (int k = 0; k < 300; ++k) steps += ".a";
    CHECK(ask(steps) == "null");
}
