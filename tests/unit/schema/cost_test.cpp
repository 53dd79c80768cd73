// The cost limits of an evaluation: by the size of its data, and by the caller's deadline.
#include <chrono>
#include <ctime>
#include <stop_token>

#include "fixtures.hpp"
#include "host/schema/budget.hpp"
#include "host/schema/coerce.hpp"
#include "host/schema/defaults.hpp"
#include "host/schema/equality.hpp"

using namespace schema_test;
using toolhost::schema::Budget;
using toolhost::schema::EvaluationLimits;

namespace {

// Generous, because of sanitizers; without a limit it takes hours. CPU time, so that other programs
// do not matter.
class Stopwatch {
public:
    ~Stopwatch() { CHECK((std::clock() - start_) / CLOCKS_PER_SEC < 60); }

private:
    std::clock_t start_ = std::clock();
};

// Applies `leaf` to the value 2^40 times.
Json doubled(const Json& leaf) {
    constexpr int levels = 40;
    Json document;
    document["$ref"] = "#/$defs/0";
    for (int i = 0; i < levels; ++i) {
        const Json next = {{"$ref", "#/$defs/" + std::to_string(i + 1)}};
        document["$defs"][std::to_string(i)]["allOf"] = Json::array({next, next});
    }
    document["$defs"][std::to_string(levels)] = leaf;
    return document;
}

// Two equal values without shared parts, so that comparing them reads everything.
Json many_items() {
    return Json(std::vector<int>(100'000, 7));
}
Json many_members(const std::string& prefix = "member") {
    Json value = Json::object();
    for (int i = 0; i < 20'000; ++i) value[prefix + std::to_string(i)] = i;
    return value;
}
Json names_of(const Json& object) {
    Json names = Json::array();
    for (const auto& [name, member] : object.items()) names.push_back(name);
    return names;
}

struct Costly {
    const char* what;
    Json leaf;
    Json value;
};

std::vector<Costly> costly_leaves() {
    const std::string text(800'000, 'a');
    const Json object = many_members();
    Json required_by_one = Json::object();
    required_by_one["member0"] = names_of(object);
    Json enumeration = Json::array();
    for (int i = 0; i < 20; ++i) enumeration.push_back(Json::array({i, many_items()}));
    std::vector<Costly> all;
    all.push_back({"const, a string", {{"const", text}}, text});
    all.push_back({"const, an array", {{"const", many_items()}}, many_items()});
    all.push_back({"const, an object", {{"const", object}}, object});
    all.push_back({"enum, few", {{"enum", Json::array({1, many_items()})}}, many_items()});
    all.push_back({"enum, hashed", {{"enum", enumeration}}, enumeration[19]});
    all.push_back({"uniqueItems, few",
                   {{"uniqueItems", true}},
                   Json::array({text + "b", text + "c", text + "d"})});
    Json different = Json::array();
    for (int i = 0; i < 100'000; ++i) different.push_back(i);
    all.push_back({"uniqueItems, hashed", {{"uniqueItems", true}}, different});
    all.push_back({"items", {{"items", true}}, many_items()});
    all.push_back(
        {"contains", {{"contains", {{"type", "string"}}}, {"minContains", 0}}, many_items()});
    all.push_back({"unevaluatedItems",
                   {{"unevaluatedItems", true}, {"prefixItems", Json::array({true})}},
                   many_items()});
    all.push_back({"minLength", {{"minLength", 700'000}}, text});
    all.push_back({"pattern", {{"pattern", "^a+$"}}, text});
    all.push_back({"propertyNames", {{"propertyNames", {{"minLength", 1}}}}, object});
    all.push_back({"additionalProperties", {{"additionalProperties", true}}, object});
    all.push_back({"required", {{"required", names_of(object)}}, object});
    all.push_back({"long names",
                   {{"required", names_of(many_members(std::string(200, 'x')))}},
                   many_members(std::string(200, 'x'))});
    all.push_back({"dependentRequired", {{"dependentRequired", required_by_one}}, object});
    return all;
}

std::string only_keyword(const std::vector<Issue>& issues) {
    REQUIRE(issues.size() == 1);
    return issues[0].keyword;
}

}  // namespace

TEST_CASE("every rule is charged by the size of its input") {
    for (const auto& [what, leaf, value] : costly_leaves()) {
        const auto& shown_what = what;
        CAPTURE(shown_what);
        const Stopwatch stopwatch;
        CHECK(compile(leaf).valid(value));
        const std::string keyword = only_keyword(compile(doubled(leaf)).validate(value));
        CHECK((keyword == "cost" || keyword == "pattern"));
    }
}

TEST_CASE("comparing takes steps by bytes and values") {
    constexpr std::uint64_t steps = 1'000'000;
    const auto taken = [&](const Json& value) {
        Budget budget(steps);
        CHECK(toolhost::schema::equal(value, Json(value), budget));
        const std::uint64_t compared = steps - budget.left();
        Budget hashing(steps);
        (void)toolhost::schema::hash_value(value, hashing);
        CHECK(steps - hashing.left() >= compared / 2);
        return compared;
    };
    CHECK(taken(5) == 1);
    CHECK(taken(std::string(64'000, 'a')) >= 1000);
    CHECK(taken(many_items()) >= 100'000);
    CHECK(taken(many_members()) >= 40'000);
    CHECK(taken(many_members(std::string(200, 'x'))) >= 100'000);
    Budget small(1000);
    CHECK_FALSE(toolhost::schema::equal(many_items(), many_items(), small));
    CHECK(small.over());
    CHECK_FALSE(small.stopped());
}

TEST_CASE("a search that scans the rest of the text from every start is stopped") {
    const Stopwatch stopwatch;
    for (const char* pattern : {"a*[bc]", "[a-z]*a*[bc]", "a+?[bc]"}) {
        CAPTURE(pattern);
        Json document;
        document["pattern"] = pattern;
        const auto issues = compile(document).validate(std::string(1'000'000, 'a'));
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].message.find("takes too long") != std::string::npos);
    }
    CHECK(valid(R"({"pattern": "^[a-z]+$"})", std::string(1'000'000, 'a')));
    CHECK(valid(R"({"pattern": "needle"})", repeat("hay nee ", 200'000) + "needle"));
}

TEST_CASE("the memory of compiled patterns is limited") {
    Json document;
    for (int i = 0; i < 2000; ++i) {
        document["patternProperties"]["^((x{1,90}){1,90})" + std::to_string(i)] = true;
    }
    CHECK(compile_error(document).message.find("exceeds the memory limit for compiled patterns") ==
          0);
}

TEST_CASE("an evaluation ends with its call") {
    const Schema schema = compile(doubled({{"const", many_items()}}));
    const Json value = many_items();
    EvaluationLimits late;
    late.deadline = std::chrono::steady_clock::now();
    CHECK(only_keyword(schema.validate(value, 10, &late)) == toolhost::schema::kStoppedKeyword);
    std::stop_source source;
    source.request_stop();
    for (auto token : {&EvaluationLimits::cancel, &EvaluationLimits::abandon}) {
        EvaluationLimits cancelled;
        cancelled.*token = source.get_token();
        CHECK(only_keyword(schema.validate(value, 10, &cancelled)) ==
              toolhost::schema::kStoppedKeyword);
        CHECK_FALSE(schema.valid(value, &cancelled));
        Json filled = json(R"({"list": []})");
        for (int i = 0; i < 20'000; ++i) filled["list"].push_back(Json::object());
        const Json defaults =
            json(R"({"properties": {"list": {"items": {"properties": {"a": {"default": 1}}}}}})");
        CHECK_FALSE(toolhost::schema::fill_defaults(defaults, filled, &cancelled));
    }
    // Fast checks are still completed.
    CHECK(compile(R"({"type": "integer"})").validate(5, 10, &late).empty());
    EvaluationLimits in_time;
    in_time.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    CHECK(only_keyword(schema.validate(value, 10, &in_time)) == "cost");
}

TEST_CASE("explaining errors takes steps too") {
    const Stopwatch stopwatch;
    Json properties = Json::object();
    for (int i = 0; i < 500; ++i)
        properties["a_property_of_some_length_" + std::to_string(i)] = true;
    Json leaf{{"properties", properties}, {"additionalProperties", false}};
    Json branches = Json::array();
    for (int i = 0; i < 8; ++i) branches.push_back(leaf);
    Json nested = branches;
    for (int level = 0; level < 2; ++level) {
        Json next = Json::array();
        for (int i = 0; i < 4; ++i) next.push_back({{"anyOf", nested}});
        nested = std::move(next);
    }
    Json value = Json::object();
    for (int i = 0; i < 50; ++i) value["a_property_of_some_lenght_" + std::to_string(i)] = 1;
    CHECK_FALSE(compile(Json{{"anyOf", nested}}).validate(value).empty());
}

TEST_CASE("the size of defaults is limited") {
    Json schema;
    schema["items"]["properties"]["text"]["default"] = std::string(1'000'000, 'd');
    Json one = json("[{}]");
    CHECK(toolhost::schema::fill_defaults(schema, one));
    CHECK(one[0]["text"].get<std::string>().size() == 1'000'000);
    Json many = Json::array();
    for (int i = 0; i < 500; ++i) many.push_back(Json::object());
    CHECK_FALSE(toolhost::schema::fill_defaults(schema, many));
    CHECK(many[1].empty());  // stopped immediately
    // Many small values, each of which inserts more.
    Json small;
    small["items"] = json(R"({"properties": {"o": {"default": {}, "properties": {
        "a": {"default": [[], [], [], []]}, "b": {"default": {"c": 1}}}}}})");
    Json list = Json::array();
    for (int i = 0; i < 100'000; ++i) list.push_back(Json::object());
    CHECK_FALSE(toolhost::schema::fill_defaults(small, list));
    Json few = Json::array({Json::object(), Json::object()});
    CHECK(toolhost::schema::fill_defaults(small, few));
    CHECK(few[1]["o"]["b"]["c"] == 1);
}

TEST_CASE("reading an uncompiled schema takes steps") {
    const Stopwatch stopwatch;
    Json schema;
    for (int i = 0; i < 40; ++i) {
        schema["items"]["anyOf"].push_back({{"const", many_items()}});
        schema["items"]["allOf"].push_back({{"$ref", "#/" + std::string(100'000, 'r')}});
    }
    Json value = Json::array();
    for (int i = 0; i < 100'000; ++i) value.push_back(Json::array());
    toolhost::schema::coerce(schema, value);
    Json named;
    named[std::string(900'000, 'k')] = std::vector<std::string>(20'000, "5");
    const auto changed = toolhost::schema::coerce(
        json(R"({"additionalProperties": {"items": {"type": "integer"}}})"), named);
    CHECK(changed.size() <= 64);
    CHECK(named.begin().value()[19'999] == 5);
}
