// The output of show for one tool.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("show") {
    TEST_CASE("referring: the target of a schema reference is shown in its place") {
        const Stage stage({"referring"});
        const auto run = stage.run({"show", "referring"});
        CAPTURE(run);
        const auto text = unwrapped(run.out);
        for (const char* part :
             {"points object[], required", "points[].x number, required", "labels object of string",
              "origin object", "Where it starts.", "origin.y number", "kind open or closed"})
            CHECK(contains(text, part));
    }

    TEST_CASE("fields have their author's order") {
        const Stage stage({"typed"});
        const auto author = {"text",    "count",         "ratio",  "verbose", "items",
                             "options", "options.depth", "colour", "anything"};
        const std::vector<std::string> page{"show", "typed", "--markdown"}, text{"show", "typed"};
        for (const auto& words : {text, page, text}) {  // first from the library
            const auto shown = stage.run(words).out;
            const auto row = [&](const std::string& field) {
                return words == page ? "\n| `" + field + "` |" : "\n  " + field + ' ';
            };
            std::size_t before = 0;
            for (const std::string field : author) {
                CAPTURE(field);
                const auto at = shown.find(row(field));
                REQUIRE(at != std::string::npos);
                CHECK(at > before);
                before = at;
            }
        }
    }

    TEST_CASE("as JSON: the spec, every reference form, the library") {
        const Stage stage({"echo"});
        const auto run = stage.run({"show", "echo", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto shown = run.json();
        CHECK(shown.value("/spec/name"_json_pointer, "") == "echo");
        const auto forms = shown.value("references", Json::array());
        for (const auto* form :
             {"echo", "native:echo", "native:basics.echo", "native:echo@1.0.0",
              "strands_tools.echo", "strands_tools.echo.echo", "strands_tools.basics.echo"}) {
            CAPTURE(std::string(form));
            CHECK(std::count(forms.begin(), forms.end(), form) == 1);
        }
        CHECK(contains(shown.value("library", Json()).dump(), "echo.so"));
    }

    TEST_CASE("as text: the input is a table") {
        const Stage stage({"typed"});
        const auto run = stage.run({"show", "typed"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        for (const auto* part :
             {"Takes one of each.", "text", "count", "integer", "ratio", "number", "verbose",
              "boolean", "items", "string[]", "options", "object", "colour", "red", "green",
              "a string, even if it looks like a number"}) {
            CAPTURE(std::string(part));
            CHECK(contains(unwrapped(run.out), part));
        }
        CHECK_FALSE(contains(run.out, "\"properties\""));
    }

    TEST_CASE("as Markdown: tables stay intact for any text of a spec") {
        const Stage stage({"typed", "policied"});
        const auto run = stage.run({"show", "typed", "--markdown"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.out.starts_with("# typed\n\nTakes one of each.\n"));
        CHECK(contains(run.out, "\n## Input\n\n| field | type | |\n|---|---|---|\n"));
        CHECK(contains(run.out, "| `colour` | red \\| green"));
        for (const auto& line : lines_of(run.out))
            if (line.starts_with("| ")) CHECK(line.ends_with(" |"));
        CHECK(contains(stage.run({"show", "policied", "--markdown"}).out,
                       "\n## Policy\n\nWhat a profile may set under `policies: policied:`."));
        CHECK(contains(stage.run({"show", "policied"}).out, "\nPolicy\n  allowed_actions"));
    }

    TEST_CASE("a tool that cannot be called can be shown, with the reason") {
        const Stage stage({"requires_command", "versioned_2_0_0_deprecated"});
        const auto command = stage.run({"show", "requires_command"});
        CAPTURE(command);
        CHECK(command.exit_code == 0);
        CHECK(contains(command.out, "no-such-command"));
        const auto deprecated = stage.run({"show", "versioned@2.0.0"});
        CAPTURE(deprecated);
        CHECK(deprecated.exit_code == 0);
        CHECK(contains(deprecated.out, "use versioned@^1"));
    }

    TEST_CASE("needs_all: shows what the profile opens, not only what the spec requests") {
        const Stage stage({"needs_all"});
        const auto before = stage.run({"show", "needs_all"});
        CAPTURE(before);
        CHECK(contains(before.out, "Access        read workspace\n"));
        CHECK(contains(before.out, "toolhost grant needs_all network"));
        CHECK(stage.run({"grant", "needs_all", "network", "write=/tmp/notes"}).exit_code == 0);
        const auto after = stage.run({"show", "needs_all"});
        CAPTURE(after);
        CHECK(contains(after.out, "Access        read workspace, write /tmp/notes, network\n"));
        const auto shown = stage.run({"show", "needs_all", "--json"}).json();
        CHECK(shown.value("open", Json()) == Json{"read workspace", "write /tmp/notes", "network"});
        CHECK(shown.value("notGranted", Json()) == Json{"exec"});
    }

    TEST_CASE("an unknown tool is exit 18 with a suggestion, and nothing on stdout") {
        const Stage stage({"adder"});
        const auto run = stage.run({"show", "addder"});
        CAPTURE(run);
        CHECK(run.exit_code == 18);
        CHECK(run.out.empty());
        CHECK(contains(run.err, "unknown tool 'addder'; did you mean 'adder'?"));
    }

    TEST_CASE("a missing tool is a usage error") {
        const Stage stage({"adder"});
        CHECK(stage.run({"show"}).exit_code == 2);
    }
}

}  // namespace
}  // namespace toolhost::test
