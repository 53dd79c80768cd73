// One call on the command line: the output, and the exit code of every end.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("call") {
    TEST_CASE("text content is printed as plain text only") {
        const Stage stage({"adder"});
        const auto run = stage.run({"call", "adder", R"({"a": 2, "b": 3})"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.out == "5\n");
    }

    TEST_CASE("blocks: blocks that are not text are named, and a resource's text is shown") {
        const Stage stage({"blocks"});
        CHECK(stage.run({"call", "blocks"}).out ==
              "words\n"
              "[image, png: use --json to see the content]\n"
              "[audio, wav: use --json to see the content]\n"
              "[document, pdf: use --json to see the content]\n"
              "[doc:///a, text/plain]\npage\n"
              "[doc:///b: use --json to see the content]\n"
              "c: doc:///c\n");
        CHECK(stage.run({"call", "blocks", "--json"}).json()["content"].size() == 8);
    }

    TEST_CASE("--json prints the result") {
        const Stage stage({"echo"});
        const auto run = stage.run({"call", "echo", R"({"said": "naïve ☃"})", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto result = run.json();
        CHECK(result.value("status", "") == "success");
        CHECK_FALSE(result.value("toolUseId", "").empty());
        CHECK_FALSE(result.contains("error"));
        const auto content = result.value("content", Json::array());
        REQUIRE(content.size() == 2);
        CHECK(content[0] == Json{{"json", {{"said", "naïve ☃"}}}});
        CHECK(Json::parse(content[1].value("text", "")) == Json{{"said", "naïve ☃"}});
    }

    TEST_CASE("family_of_two: the library gets the name of the called tool") {
        const Stage stage({"family_of_two"});
        CHECK(stage.run({"call", "pair_first"}).out == "pair_first\n");
        CHECK(stage.run({"call", "pair_second"}).out == "pair_second\n");
    }

    TEST_CASE("private_dependency: a private library beside it is found") {
        const Stage stage({"private_dependency"});
        const auto run = stage.run({"call", "private_dependency"});
        CAPTURE(run);
        CHECK(run.out == "from the private part\n");
    }

    TEST_CASE("private_dependency: outside of its own folder it is refused with advice") {
        const Stage stage({"private_dependency"});
        for (const auto& entry : fs::directory_iterator(stage.plugins() / "private_dependency"))
            fs::copy(entry.path(), stage.plugins() / entry.path().filename());
        fs::remove_all(stage.plugins() / "private_dependency");
        const auto refused =
            candidate(stage.run({"doctor", "--json"}).json(), "private_dependency.so");
        CHECK(refused.value("reason", "") == "dependency_missing");
        CHECK(contains(refused.value("advice", ""), "NAME/NAME.so"));
    }

    TEST_CASE("private_dependency: its parts may be in subfolders") {
        const Stage stage({"private_dependency"});
        const auto own = stage.plugins() / "private_dependency";
        fs::create_directories(own / "parts/deep");
        fs::copy(own / "private_dependency.so", own / "parts/deep/data.bin");
        CHECK(stage.run({"call", "private_dependency"}).out == "from the private part\n");
        bool copied = false;
        for (const auto& entry : fs::recursive_directory_iterator(stage.cache()))
            copied |= entry.path().filename() == "data.bin";
        CHECK(copied);
    }

    struct Ending {
        const char* fixture;
        const char* ref;
        int exit_code;
        const char* code;
        const char* part;  // a part of the message
    };
    const Ending kEndings[] = {
        {"adder", "no_such_tool", 18, "unknown_tool", "no_such_tool"},
        {"adder", "adder", 3, "invalid_input", "missing required field \"a\""},
        {"adder", "adder@^9", 18, "version_not_found", "1.0.0"},
        {"requires_command", "requires_command", 18, "requirement_missing", "no-such-command"},
        {"requires_env", "requires_env", 18, "requirement_missing", "TOOLHOST_TEST_TOKEN"},
        {"versioned_2_0_0_deprecated", "versioned@2.0.0", 18, "tool_deprecated", "versioned@^1"},
    };

    TEST_CASE("a call that does not reach the tool") {
        for (const auto& row : kEndings) {
            const auto title = std::string(row.ref) + ": " + row.code;
            SUBCASE(title.c_str()) {
                const Stage stage({row.fixture});
                const auto run = stage.run({"call", row.ref, "--json"});
                CAPTURE(run);
                CHECK(run.exit_code == row.exit_code);
                const auto result = run.json();
                CHECK(result.value("status", "") == "error");
                CHECK(result.value("/error/code"_json_pointer, "") == row.code);
                CHECK(contains(result.value("/error/message"_json_pointer, ""), row.part));

                const auto text = stage.run({"call", row.ref});
                CAPTURE(text);
                CHECK(text.exit_code == row.exit_code);
                CHECK(text.out.empty());
                CHECK(contains(text.err, row.part));
            }
        }
    }

    TEST_CASE("a misspelled name gets a suggestion") {
        const Stage stage({"adder"});
        const auto run = stage.run({"call", "ader"});
        CAPTURE(run);
        CHECK(contains(run.err, "unknown tool 'ader'; did you mean 'adder'?"));
    }

    TEST_CASE("requires_env runs where the variable is set") {
        const Stage stage({"requires_env"});
        const auto run =
            stage.run({"call", "requires_env"}, {.env = {{"TOOLHOST_TEST_TOKEN", "x"}}});
        CAPTURE(run);
        CHECK(run.out == "ran\n");
    }

    TEST_CASE("TOOLHOST_ALLOW lets a deprecated version run") {
        const Stage stage({"versioned_2_0_0_deprecated"});
        const auto run = stage.run({"call", "versioned@2.0.0"},
                                   {.env = {{"TOOLHOST_ALLOW", "native:versioned@2.0.0"}}});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.out == "2.0.0\n");
    }

    TEST_CASE("a refused plugin is an unknown tool, and doctor is suggested") {
        const Stage stage({"constructor_crashes"});
        const auto run = stage.run({"call", "constructor_crashes"});
        CHECK(run.exit_code == 18);
        CHECK(contains(run.err, "1 of 1 libraries cannot be used"));
        CHECK(contains(run.err, "doctor"));
    }

    TEST_CASE("a plugin that was removed since the last scan is exit 18") {
        const Stage stage({"adder", "echo"});
        CHECK(stage.run({"list"}).exit_code == 0);
        fs::remove(stage.plugins() / "adder.so");
        CHECK(stage.run({"call", "adder", "a=1", "b=2"}).exit_code == 18);
    }

    TEST_CASE("the working folder and the order of options do not matter") {
        const Stage stage({"adder"});
        const auto run = stage.run(
            {"--log-level", "error", "call", "--json", "adder", "a=1", "b=1"}, {.folder = "/"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.json().value("status", "") == "success");
    }

    TEST_CASE("a missing tool is a usage error") {
        const Stage stage;
        CHECK(stage.run({"call"}).exit_code == 2);
    }
}

}  // namespace
}  // namespace toolhost::test
