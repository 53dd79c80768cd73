// The input of a call: JSON, a file, stdin, key=value.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// The input that `typed` received, from its reply.
Json received(const Stage& stage, std::vector<std::string> args, const Options& options = {}) {
    args.insert(args.begin(), {"call", "typed", "--json"});
    const auto run = stage.run(args, options);
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    return run.json().value("/content/0/json"_json_pointer, Json());
}

struct Typing {
    const char* argument;
    const char* key;
    const char* json;  // the expected value
};
// clang-format off
constexpr Typing kTypings[] = {
    {"text=5",                    "text",     R"("5")"},
    {"text=true",                 "text",     R"("true")"},
    {"text=",                     "text",     R"("")"},
    {"text=a=b",                  "text",     R"("a=b")"},
    {"text=@@home",               "text",     R"("@home")"},
    {"text=two words",            "text",     R"("two words")"},
    {"count=5",                   "count",    "5"},
    {"ratio=0.5",                 "ratio",    "0.5"},
    {"ratio=2",                   "ratio",    "2"},
    {"verbose=true",              "verbose",  "true"},
    {"verbose=false",             "verbose",  "false"},
    {"items=a",                   "items",    R"(["a"])"},
    {R"(options={"depth":2})",    "options",  R"({"depth":2})"},
    {"options.depth=2",           "options",  R"({"depth":2})"},
    {"colour=red",                "colour",   R"("red")"},
    {"anything:=null",            "anything", "null"},
    {"count:=7",                  "count",    "7"},
    {R"(text:="7")",              "text",     R"("7")"},
    {R"(items:=["a"])",           "items",    R"(["a"])"},
};
constexpr const char* kWrong[] = {
    R"({"text": 5})", R"({"text": "t", "count": -1})", R"({"text": "t", "colour": "blue"})",
    R"({"text": "t", "unheard": 1})", R"({"text": "t", "options": {"depth": "deep"}})", "{}",
    R"({"text": "t"} trailing)", "{\"text\": \"\xc3\x28\"}",
};
constexpr const char* kWrongPairs[] = {"count=many", "ratio=half", "verbose=perhaps", "colour=blue",
                                       "unheard=1", "count:=", "options={", "text:=bare"};
// clang-format on

TEST_SUITE("input") {
    TEST_CASE("key=value has the type of the schema, key:=json its own") {
        const Stage stage({"typed"});
        for (const auto& row : kTypings) {
            CAPTURE(std::string(row.argument));
            std::vector<std::string> args{row.argument};
            if (std::string_view(row.key) != "text") args.emplace_back("text=t");
            const auto got = received(stage, args);
            CHECK(got.value(row.key, Json("nothing")) == Json::parse(row.json));
        }
    }

    TEST_CASE("invalid input is exit 3 and code invalid_input") {
        const Stage stage({"typed"});
        const auto check = [&](const std::vector<std::string>& args) {
            const auto run = stage.run(args);
            CAPTURE(run);
            CHECK(run.exit_code == 3);
            CHECK(run.json().value("/error/code"_json_pointer, "") == "invalid_input");
        };
        for (const auto* input : kWrong) check({"call", "typed", input, "--json"});
        for (const auto* pair : kWrongPairs) check({"call", "typed", "text=t", pair, "--json"});
    }

    TEST_CASE("input that is neither JSON nor a key=value pair is refused") {
        const Stage stage({"echo"});
        for (const auto* word : {"not json", "=x", "bare", R"(["a"])", "[a=1,b=2]", "5"}) {
            const auto run = stage.run({"call", "echo", word});
            CAPTURE(run);
            CHECK((run.exit_code == 2 || run.exit_code == 3));
            CHECK(run.out.empty());
        }
    }

    TEST_CASE("the error names the tool, the field and the rule") {
        const Stage stage({"typed"});
        const auto run =
            stage.run({"call", "typed", R"({"text": "t", "options": {"depth": "x"}})"});
        CAPTURE(run);
        CHECK(contains(run.err, "typed"));
        CHECK(contains(run.err, "/options/depth"));
        CHECK(contains(run.err, "integer"));
    }

    TEST_CASE("@file and - read the input from a file and stdin") {
        const Stage stage({"typed"});
        write_file(stage.root() / "input.json", R"({"text": "from a file"})");
        const auto text = [](const Json& input) { return input.value("text", ""); };
        CHECK(text(received(stage, {"@input.json"})) == "from a file");
        CHECK(text(received(stage, {"@" + (stage.root() / "input.json").string()})) ==
              "from a file");
        CHECK(text(received(stage, {"-"}, {.input = R"({"text": "from stdin"})"})) == "from stdin");
        write_file(stage.root() / "plain.txt", "any text");
        CHECK(text(received(stage, {"text=@plain.txt"})) == "any text");
    }

    TEST_CASE("a file that cannot be read is exit 12") {
        const Stage stage({"typed"});
        for (const auto* file : {"@not-there.json", "@plugins"}) {
            const auto run = stage.run({"call", "typed", file});
            CAPTURE(run);
            CHECK(run.exit_code == 12);
            CHECK(run.out.empty());
        }
    }

    TEST_CASE("stdin is read on request only") {
        const Stage stage({"typed"});
        CHECK(received(stage, {"text=t"}, {.input = "not json"}).value("text", "") == "t");
    }

    TEST_CASE("a repeated key fills an array and is an error for other types") {
        const Stage stage({"typed"});
        CHECK(received(stage, {"text=t", "items=a", "items=b"}).value("items", Json()) ==
              Json::array({"a", "b"}));
        CHECK(stage.run({"call", "typed", "text=t", "text=u"}).exit_code == 3);
    }

    TEST_CASE("missing fields get the schema's default") {
        const Stage stage({"typed"});
        CHECK(received(stage, {"text=t"}) == Json{{"text", "t"}, {"verbose", false}});
    }

    TEST_CASE("a large input is returned completely") {
        const Stage stage({"echo"});
        const Json input{{"blob", std::string(900'000, 'x')}};
        const auto profile = stage.root() / "roomy.yml";
        write_file(profile,
                   "name: roomy\nextends: default\ndefaults: { maxOutputChars: 1000000 }\n");
        const auto run = stage.run({"call", "echo", "-", "--json", "--profile", profile.string()},
                                   {.input = input.dump()});
        CHECK(run.exit_code == 0);
        const auto back = run.json().value("/content/0/json"_json_pointer, Json());
        CHECK((back == input));  // not expanded: the text would be too long
    }

    TEST_CASE("an input that is too large is refused") {
        const Stage stage({"echo"});
        const auto input = "{\"blob\": \"" + std::string(65u << 20, 'x') + "\"}";
        const auto run = stage.run({"call", "echo", "-", "--json"}, {.input = input});
        CAPTURE(run.err);
        CHECK(run.exit_code == 3);
        CHECK(run.json().value("/error/code"_json_pointer, "") == "input_too_large");
    }

    TEST_CASE("endless nesting is refused without a crash") {
        const Stage stage({"echo"});
        const auto deep = std::string(200'000, '[') + std::string(200'000, ']');
        const auto run =
            stage.run({"call", "echo", "-", "--json"}, {.input = "{\"a\":" + deep + "}"});
        CHECK(run.exit_code == 3);
    }
}

}  // namespace
}  // namespace toolhost::test
