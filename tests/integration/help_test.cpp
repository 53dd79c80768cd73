// Help and version.
#include <doctest/doctest.h>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

const char* const kCommands[] = {"list",    "show",  "call",  "serve", "token", "doctor",
                                 "profile", "grant", "retry", "new",   "help",  "version"};

TEST_SUITE("help") {
    TEST_CASE("it fits the width, and words are not split") {
        const Stage stage;
        for (const char* columns : {"60", "80", "132"}) {
            std::string all = stage.run({"help"}, {.env = {{"COLUMNS", columns}}}).out;
            for (const auto* command : kCommands)
                all += stage.run({"help", command}, {.env = {{"COLUMNS", columns}}}).out;
            for (const auto& line : lines_of(all)) {
                CAPTURE(line);
                CHECK(line.size() <= std::stoul(columns));
            }
            CHECK(contains(unwrapped(all), "nested calls still need consent"));
        }
    }

    TEST_CASE("help COMMAND is COMMAND --help") {
        const Stage stage;
        CHECK(stage.run({"help"}).out == stage.run({"--help"}).out);
        for (const auto* command : kCommands) {
            const auto help = stage.run({"help", command}, {.name_plugins = false});
            CHECK(help.exit_code == 0);
            CHECK(help.out == stage.run({command, "--help"}, {.name_plugins = false}).out);
            CHECK(contains(help.out, std::string("Usage: toolhost ") + command));
        }
        const auto nested = stage.run({"help", "profile", "show"});
        CHECK(contains(nested.out, "Usage: toolhost profile show"));
    }

    TEST_CASE("help lists every command and the global options") {
        const Stage stage;
        const auto help = stage.run({"help"}).out;
        for (const auto* command : kCommands)
            CHECK(contains(help, std::string("\n  ") + command + ' '));
        for (const auto* option : {"--plugins DIR", "--only-plugins DIR", "--log-level LEVEL"})
            CHECK(contains(help, std::string("\n  ") + option));
        CHECK(contains(unwrapped(help), "(trace, debug, info, warn, error, off)"));
    }

    TEST_CASE("an unknown command") {
        const Stage stage;
        const auto run = stage.run({"help", "cal"});
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, "did you mean 'call'?"));
        CHECK(
            contains(stage.run({"help", "profile", "shw"}).err, "profile: unknown command 'shw'"));
        CHECK(contains(stage.run({"call", "--nosuch"}).err, "Try 'toolhost help call'."));
        CHECK(contains(stage.run({"list", "--verison"}).err, "did you mean '--version'?"));
        CHECK(contains(stage.run({"call", "echo", "--text", "x"}).err, "text=VALUE"));
    }

    TEST_CASE("version") {
        const Stage stage;
        const auto run = stage.run({"version"});
        CHECK(run.exit_code == 0);
        CHECK(run.out == stage.run({"--version"}).out);
        CHECK(stage.run({"version", "--json"}).json().contains("version"));
    }
}

}  // namespace
}  // namespace toolhost::test
