// Models read these messages, so they are part of the contract.
#include "fixtures.hpp"

using namespace schema_test;

TEST_CASE("each message names the place, the rule and the actual value") {
    struct Row {
        const char *schema, *value, *message;
    };
    const Row rows[] = {
        {R"({"properties": {"days": {"type": "integer"}}})", R"({"days": "three"})",
         R"(/days: must be an integer, but is the string "three")"},
        {R"({"type": ["string", "null"]})", "[1, 2]",
         "must be a string or null, but is an array of 2 items"},
        {R"({"type": "string"})", R"({"a": 1, "b": 2})",
         R"(must be a string, but is an object with "a", "b")"},
        {R"({"const": "on"})", "false", R"(must be "on", but is false)"},
        {R"({"enum": ["metric", "imperial"]})", R"("Metrik")",
         R"(must be one of "metric", "imperial", but is the string "Metrik"; )"
         R"(did you mean "metric"?)"},
        {R"({"minimum": 1})", "0", "must be at least 1, but is 0"},
        {R"({"maximum": 1.5})", "2", "must be at most 1.5, but is 2"},
        {R"({"exclusiveMinimum": 1})", "1", "must be greater than 1, but is 1"},
        {R"({"exclusiveMaximum": 1})", "1", "must be less than 1, but is 1"},
        {R"({"multipleOf": 5})", "7", "must be a multiple of 5, but is 7"},
        {R"({"minLength": 2})", R"("é")", "must have at least 2 characters, but has 1"},
        {R"({"maxLength": 1})", R"("ab")", "must have at most 1 character, but has 2"},
        {R"({"pattern": "^a+$"})", R"("b")",
         R"(must match the pattern "^a+$", but is the string "b")"},
        {R"({"minItems": 1})", "[]", "must have at least 1 item, but has 0"},
        {R"({"prefixItems": [true], "items": false})", "[1, 2]",
         "must have at most 1 item, but has 2"},
        {R"({"contains": {"type": "string"}})", "[1]",
         "must have at least 1 item that matches `contains`, but has 0"},
        {R"({"required": ["a"]})", "{}", R"(missing required field "a")"},
        {R"({"properties": {"city": {"type": "string"}}, "required": ["city"]})",
         R"({"citty": "x"})",
         R"(missing required field "city" (a string); "citty" may be a misspelling)"},
        {R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})",
         R"(missing field "b", required by "a")"},
        {R"({"properties": {"max_results": {}}, "additionalProperties": false})",
         R"({"maxResults": 1})", R"(unknown field "maxResults"; did you mean "max_results"?)"},
        {R"({"properties": {"a": {}, "b": {}}, "additionalProperties": false})", R"({"zzzz": 1})",
         R"(unknown field "zzzz"; known fields: "a", "b")"},
        {R"({"allOf": [{"properties": {"colour": true}}], "unevaluatedProperties": false})",
         R"({"color": 1})", R"(unknown field "color"; did you mean "colour"?)"},
        {R"({"propertyNames": {"maxLength": 2}})", R"({"abc": 1})",
         R"(invalid field name "abc": it does not match `propertyNames`)"},
        {R"({"properties": {"a": false}})", R"({"a": 1})",
         "/a: must be absent, but is the integer 1"},
        {R"({"not": {"type": "string"}})", R"("x")",
         R"(must not be a string, but is the string "x")"},
        {R"({"oneOf": [{"type": "integer"}, {"minimum": 2}]})", "3",
         "must match exactly one of 2 forms, but matches forms 1 and 2"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.schema);
        CHECK(message(row.schema, json(row.value)) == row.message);
    }
}

TEST_CASE("anyOf names the branches that would match") {
    CHECK(message(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})", 5) ==
          "must be a string or null, but is the integer 5");
    CHECK(message(R"({"anyOf": [{"required": ["p"]}, {"required": ["q"]}]})", Json::object()) ==
          R"(must match one of 2 forms: (1) missing required field "p"; )"
          R"((2) missing required field "q", but is an empty object)");
    // Only one branch can be meant, so its own error is the useful one.
    CHECK(message(R"({"anyOf": [{"type": "null"}, {"type": "object", "required": ["p"]}]})",
                  Json::object()) == R"(missing required field "p")");
    CHECK(message(R"({"oneOf": [{"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                                {"properties": {"kind": {"const": "b"}}}]})",
                  json(R"({"kind": "a", "x": "1"})")) ==
          R"(/x: must be an integer, but is the string "1")");
}

TEST_CASE("a misspelled required field is one suggestion, not two") {
    const auto issues = compile(json(R"({"properties": {"expression": {"type": "string"}},
        "required": ["expression"], "additionalProperties": false})"))
                            .validate(json(R"({"expresion": "1"})"));
    REQUIRE(issues.size() == 2);
    std::vector<std::string> messages{issues[0].message, issues[1].message};
    std::ranges::sort(messages);
    CHECK(messages[0] == R"(missing required field "expression" (a string))");
    CHECK(messages[1] == R"(unknown field "expresion"; did you mean "expression" (required)?)");
}

TEST_CASE("all issues, up to the limit") {
    const Schema schema = compile(R"({"items": {"type": "integer"}})");
    const Json value(20, "x");
    CHECK(schema.validate(value).size() == 10);
    CHECK(schema.validate(value, 3).size() == 3);
    CHECK(schema.validate(value, 50).size() == 20);
    CHECK(schema.validate(value, 0).size() == 1);  // never empty, which would mean valid
}

TEST_CASE("pointers are escaped, and details repeat everything for programs") {
    const Schema schema = compile(R"({"properties": {"a/b": {"items": {"maximum": 3}}}})");
    const auto issues = schema.validate(json(R"({"a/b": [1, 5]})"));
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].pointer == "/a~1b/1");
    CHECK(issues[0].keyword == "maximum");
    CHECK(issues[0].details == json(R"({"pointer": "/a~1b/1", "keyword": "maximum", "expected": 3,
        "actual": 5, "type": "integer", "schemaPointer": "/properties/a~1b/items/maximum"})"));
}

TEST_CASE("the schema pointer names the document if it is another one") {
    toolhost::schema::DocumentStore store;
    store.documents["https://example.com/x"] = json(R"({"type": "string"})");
    CompileOptions options;
    options.store = &store;
    const Schema schema = compile(R"({"$ref": "https://example.com/x"})", options);
    CHECK(schema.validate(5)[0].details["schemaPointer"] == "https://example.com/x#/type");
}

TEST_CASE("an enum lists all its values, and of many the nearest first") {
    Json actions;
    for (const char* action :
         {"status", "diff", "log", "show", "blame", "add", "branch", "checkout", "fetch", "init",
          "merge", "pull", "push", "rebase", "reset", "restore", "stash", "tag", "commit"}) {
        actions["enum"].push_back(action);
    }
    const auto few = compile(actions).validate("comit");
    REQUIRE(few.size() == 1);
    CHECK(few[0].message.find("did you mean \"commit\"?") != std::string::npos);
    CHECK(few[0].details["expected"] == actions["enum"]);
    CHECK(few[0].message.find("\"stash\", \"tag\", \"commit\"") != std::string::npos);
    CHECK(few[0].message.find(" more") == std::string::npos);
    Json many;
    for (int i = 0; i < 300; ++i) many["enum"].push_back("value_" + std::to_string(i));
    many["enum"].push_back("commit");
    const auto near = compile(many).validate("comit")[0];
    CHECK(near.message.starts_with("must be one of \"commit\", \"value_0\", "));
    CHECK(
        near.message.find(" and 291 more, but is the string \"comit\"; did you mean \"commit\"?") !=
        std::string::npos);
    CHECK(near.details["expected"].size() == 10);
    CHECK(compile(many).validate(5)[0].details["expected"].size() == 10);
}

TEST_CASE("large values are not echoed") {
    const std::string text(100000, 'x');
    Json object;
    for (int i = 0; i < 10000; ++i) object["key" + std::to_string(i)] = i;
    Json nested = Json::array({object, text, Json(10, object)});
    for (const Json& value : {Json(text), object, nested}) {
        const auto issues = compile(R"({"type": "integer", "const": 5})").validate(value);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].message.size() < 200);
        CHECK(issues[0].details.dump().size() < 500);
    }
    Json many;
    for (int i = 0; i < 1000; ++i) many["enum"].push_back(text + std::to_string(i));
    CHECK(compile(many).validate(5)[0].message.size() < 1000);
    Json key;
    key[text] = "x";
    CHECK(compile(R"({"additionalProperties": {"type": "integer"}})")
              .validate(key)[0]
              .message.size() < 400);
}

TEST_CASE("invalid UTF-8 can be reported") {
    const auto issues =
        compile(R"({"maxLength": 1, "pattern": "^b", "enum": []})").validate("a\xff\xfe");
    CHECK_FALSE(issues.empty());
    for (const Issue& issue : issues) CHECK_NOTHROW((void)Json(issue.message).dump());
}
