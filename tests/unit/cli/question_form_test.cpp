#include "host/cli/question_form.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::cli;

namespace {

FormField field(const char* schema, bool required = true) {
    return {"f", Json::parse(schema), required};
}

// The value of a line, or "?" and the reason; null: omitted.
Json answer(const FormField& of, const std::string& line) {
    const auto read = of.read(line);
    if (!read.fault.empty()) return "? " + read.fault;
    return read.value.value_or(Json());
}

bool refused(const FormField& of, const std::string& line) {
    return !of.read(line).fault.empty();
}

}  // namespace

TEST_CASE("an enum is chosen by number or by value") {
    const auto colour = field(R"({"enum": ["red", "green", 7], "enumNames": ["Red", "Green"]})");
    CHECK(colour.heading() == "f\n  1) red: Red\n  2) green: Green\n  3) 7\n");
    CHECK(answer(colour, "2") == "green");
    CHECK(answer(colour, " red ") == "red");
    CHECK(answer(colour, "7") == 7);
    CHECK(answer(colour, "0") == "? enter one number from 1 to 3");
    CHECK(refused(colour, "4"));
    CHECK(refused(colour, "blue"));
    CHECK(refused(colour, ""));
    const auto titled = field(R"({"oneOf": [{"const": "a", "title": "First"}, {"const": "b"}]})");
    CHECK(titled.heading() == "f\n  1) a: First\n  2) b\n");
    CHECK(answer(titled, "1") == "a");
}

TEST_CASE("several values of an enum") {
    const auto some = field(
        R"({"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["a", "b", "c"]}})");
    CHECK(answer(some, "1, 3") == Json{"a", "c"});
    CHECK(answer(some, "b") == Json{"b"});
    CHECK(refused(some, "1,4"));
    CHECK(refused(some, ","));
}

TEST_CASE("yes and no") {
    const auto plain = field(R"({"type": "boolean"})");
    for (const char* yes : {"y", "Yes", "true"}) CHECK(answer(plain, yes) == true);
    for (const char* no : {"n", "NO", "false"}) CHECK(answer(plain, no) == false);
    CHECK(answer(plain, "maybe") == "? answer y or n");
    CHECK(plain.prompt() == "[y/n]: ");
    CHECK(field(R"({"type": "boolean", "default": true})").prompt() == "[Y/n]: ");
    CHECK(answer(field(R"({"type": "boolean", "default": false})"), "") == false);
}

TEST_CASE("numbers are checked") {
    const auto count = field(R"({"type": "integer", "minimum": 1, "maximum": 9})");
    CHECK(answer(count, " 3 ") == 3);
    for (const char* line : {"", "three", "0", "10", "1.5", "\"3\"", "1e999"})
        CHECK(refused(count, line));
    CHECK(answer(field(R"({"type": "number"})"), "1.5") == 1.5);
}

TEST_CASE("texts, defaults and optional fields") {
    CHECK(answer(field(R"({"type": "string"})"), "5") == "5");
    CHECK(answer(field(R"({"type": "string"})"), "") == "");
    CHECK(refused(field(R"({"type": "string", "minLength": 1})"), ""));
    CHECK(refused(field(R"({"type": "string", "pattern": "^a"})"), "b"));
    CHECK(answer(field(R"({"type": "string", "default": "x"})"), "") == "x");
    CHECK(field(R"({"type": "string", "default": "x"})").prompt() == "Text [x]: ");
    CHECK(answer(field(R"({"type": "string"})", false), "").is_null());
    CHECK(field(R"({"type": "string"})", false).heading() == "f (optional)\n");
}

TEST_CASE("forms") {
    CHECK_FALSE(QuestionForm::of("x", "sure?"));
    CHECK_FALSE(QuestionForm::of("x", Json{{"question", "go on?"}}));
    CHECK_FALSE(QuestionForm::of("x", Json{{"schema", {{"type", "object"}}}}));
    for (const char* key : {"schema", "requestedSchema"}) {
        const auto form = QuestionForm::of(
            "x", {{"message", "m"},
                  {key, Json::parse(R"({"type": "object", "required": ["z"], "minProperties": 2,
                      "properties": {"a": {"type": "string"}, "z": {"type": "string"}}})")}});
        REQUIRE(form);
        CHECK(form->message == "m");
        CHECK(form->whole);
        REQUIRE(form->fields.size() == 2);
        CHECK(form->fields[0].name == "z");  // required ones first
        CHECK_FALSE(form->fault({{"z", "1"}}).empty());
        CHECK(form->fault({{"a", "1"}, {"z", "1"}}).empty());
    }
    const auto consent = QuestionForm::of("consent", "delete it?");
    REQUIRE(consent);
    CHECK_FALSE(consent->whole);
    CHECK(consent->fields.at(0).prompt() == "[y/n]: ");
    const auto choices = QuestionForm::of("x", {{"choices", {"left", "right"}}});
    REQUIRE(choices);
    CHECK(answer(choices->fields.at(0), "2") == "right");
}

TEST_CASE("text of a tool in a form cannot control the terminal") {
    const auto hostile =
        field(R"({"title": "t\u001b[2J", "description": "d\u009b", "enum": ["e\u001b[1m\n"]})");
    for (char c : hostile.heading() + hostile.prompt()) CHECK((c == '\n' || c >= ' '));
}
