// Hostile schemas and values: limited time, limited stack, and an error at the end.
#include <ctime>

#include "fixtures.hpp"
#include "host/schema/coerce.hpp"
#include "host/schema/defaults.hpp"
#include "host/schema/normalize.hpp"

using namespace schema_test;

namespace {

constexpr int deep = 1'000'000;

// Generous, because of sanitizers and coverage; without a limit it takes minutes. CPU time, so that
// other programs do not matter.
class Stopwatch {
public:
    ~Stopwatch() { CHECK((std::clock() - start_) / CLOCKS_PER_SEC < 60); }

private:
    std::clock_t start_ = std::clock();
};

Json deep_array() {
    return Json::parse(repeat("[", deep) + repeat("]", deep));
}
Json deep_object(const std::string& key, const std::string& inner) {
    return Json::parse(repeat("{\"" + key + "\":", deep) + inner + repeat("}", deep));
}

// {"$ref": "#/$defs/0"}, where each definition is built from the next one's name.
template <typename Make>
Json chain(int length, Make make) {
    Json document;
    document["$ref"] = "#/$defs/0";
    for (int i = 0; i < length; ++i) {
        const Json next = {{"$ref", "#/$defs/" + std::to_string(i + 1)}};
        document["$defs"][std::to_string(i)] = make(next);
    }
    document["$defs"][std::to_string(length)] = {{"type", "string"}};
    return document;
}

}  // namespace

TEST_CASE("a schema of any depth is refused without a stack overflow") {
    const Stopwatch stopwatch;
    const std::string message = "is nested deeper than 512 levels, the limit for a schema";
    CHECK(compile_error(deep_object("not", "true")).message == message);
    Json document = Json::object();
    document["const"] = deep_array();
    CHECK(compile_error(document).message == message);
    toolhost::schema::DocumentStore store;
    store.documents["x"] = std::move(document);
    CompileOptions options;
    options.store = &store;
    CHECK(compile_error(R"({"$ref": "x"})", options).message == message);
}

TEST_CASE("a value of any depth is an issue") {
    const Stopwatch stopwatch;
    const Json value = deep_array();
    for (const char* schema : {"true", R"({"items": {"$ref": "#"}})", R"({"const": []})",
                               R"({"uniqueItems": true})", R"({"type": "string"})"}) {
        const auto issues = compile(schema).validate(value);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].keyword == "depth");
        CHECK_FALSE(compile(schema).valid(value));
    }
}

TEST_CASE("the deepest value that is allowed") {
    const Json value = Json::parse(repeat("[", 512) + repeat("]", 512));
    CHECK(valid(R"({"items": {"$ref": "#"}})", value));
    CHECK(valid(R"({"anyOf": [{"type": "null"}, {"allOf": [{"items": {"$ref": "#"}}]}]})", value));
    CHECK_FALSE(valid("true", Json::array({value})));
}

TEST_CASE("helpers ignore values that are nested too deeply") {
    const Stopwatch stopwatch;
    const Json schema = json(R"({"properties": {"a": {"$ref": "#", "default": 5}}})");
    Json value = deep_object("a", "{}");
    CHECK(toolhost::schema::fill_defaults(schema, value));
    CHECK(toolhost::schema::coerce(schema, value).empty());
    Json small = Json::object();
    const Json deep_schema = deep_object("properties", "{}");
    CHECK(toolhost::schema::fill_defaults(deep_schema, small));
    CHECK(toolhost::schema::coerce(deep_schema, small).empty());
    Json wrapped = Json::object();
    wrapped["json"] = deep_object("not", "true");
    CHECK(toolhost::schema::normalize(std::move(wrapped)).contains("type"));
    // Text that would become a deep value stays text.
    Json text = repeat("[", deep) + repeat("]", deep);
    CHECK(toolhost::schema::coerce(json(R"({"type": "array"})"), text).empty());
}

TEST_CASE("reference chains of any length") {
    const Stopwatch stopwatch;
    CHECK(compile(chain(50000, [](const Json& next) { return next; })).valid("x"));
    const Schema schema = compile(chain(20000, [](const Json& next) {
        return Json{{"allOf", Json::array({next, true})}};
    }));
    const auto issues = schema.validate("x");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].keyword == "depth");
}

TEST_CASE("a loop through dynamic references ends in an issue") {
    for (const char* text :
         {R"({"$id": "http://a/b", "$dynamicAnchor": "n", "$dynamicRef": "#n"})",
          R"({"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveAnchor": true,
              "$recursiveRef": "#"})"}) {
        const auto issues = compile(text).validate(5);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].keyword == "depth");
    }
}

TEST_CASE("branches that multiply end in an issue") {
    const Stopwatch stopwatch;
    for (const char* keyword : {"anyOf", "allOf", "oneOf"}) {
        const Schema schema = compile(chain(60, [&](const Json& next) {
            return Json{{keyword, Json::array({next, next})}};
        }));
        for (const Json& value : {Json("x"), Json(5)}) CHECK(schema.validate(value).size() <= 10);
        CHECK_FALSE(schema.valid(5));
    }
}

TEST_CASE("the time of patterns is limited") {
    const Stopwatch stopwatch;
    const std::string text = repeat("a", 60) + "!";
    for (const char* pattern : {"^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*b", "^(?=(a+)+b)",
                                "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*(.*)*(.*)*(.*)*x\\1"}) {
        Json document;
        document["pattern"] = pattern;
        CAPTURE(pattern);
        CHECK_FALSE(compile(document).validate(text).empty());
    }
    CHECK(message(R"({"pattern": "^(a+)+$"})", text) ==
          R"(could not be checked: the pattern "^(a+)+$" takes too long to match)");
    // An undecided match must not count as "does not match" under a `not`.
    CHECK_FALSE(valid(R"({"not": {"pattern": "^(a+)+$"}})", text));
    CHECK_FALSE(valid(R"({"anyOf": [{"pattern": "^(a+)+$"}, {"type": "string"}]})", text));
}

TEST_CASE("many expensive matches have a common limit") {
    const Stopwatch stopwatch;
    Json value;
    for (int i = 0; i < 100000; ++i) value[repeat("a", 14) + std::to_string(i) + "!"] = 1;
    const auto issues = compile(R"({"patternProperties": {"^(a+)+$": true}})").validate(value);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].details["schemaPointer"] == "/patternProperties");
}

TEST_CASE("large valid values are accepted") {
    const Stopwatch stopwatch;
    Json numbers = Json::array();
    for (int i = 0; i < 300000; ++i) numbers.push_back(i);
    CHECK(valid(R"({"uniqueItems": true, "items": {"type": "integer", "minimum": 0}})", numbers));
    CHECK(valid(R"({"pattern": "^[a-z]+$", "maxLength": 2000000})", std::string(1000000, 'a')));
}

TEST_CASE("too many subschemas, too long patterns") {
    Json document;
    for (int i = 0; i < 20; ++i) document["anyOf"].push_back(true);
    CompileOptions options;
    options.max_subschemas = 10;
    CHECK(compile_error(document, options).message ==
          "exceeds the limit of subschemas: at most 10");
    CHECK(compile_error(Json{{"pattern", repeat("a", 20000)}}).message ==
          "is a pattern longer than the limit of 16384 bytes");
    CHECK(compile_error(Json{{"pattern", "((a{1,500}){1,500}){1,500}"}}).pointer == "/pattern");
    CHECK(compile_error(Json{{"pattern", repeat("(", 3000) + repeat(")", 3000)}}).pointer ==
          "/pattern");
}

TEST_CASE("defaults inside their own defaults terminate") {
    const Stopwatch stopwatch;
    Json value = Json::object();
    CHECK(toolhost::schema::fill_defaults(json(R"({"properties": {
        "a": {"$ref": "#", "default": {}}, "b": {"$ref": "#", "default": {}}}})"),
                                          value));
    CHECK(value == json(R"({"a": {"b": {}}, "b": {"a": {}}})"));
}
