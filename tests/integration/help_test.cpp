// Help and version.
#include <doctest/doctest.h>

#include <set>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

// The first word of the rows "| `list` ... |" of the first table of docs/cli.md.
std::set<std::string> documented_commands() {
    std::set<std::string> names;
    for (const auto& line : lines_of(read_file(fs::path(TOOLHOST_SOURCE) / "docs/cli.md"))) {
        if (line.starts_with("## ")) break;
        if (!line.starts_with("| `")) continue;
        names.insert(line.substr(3, line.find_first_of(" `", 3) - 3));
    }
    return names;
}

// The rows "  NAME  DESCRIPTION" of `toolhost help`; a description goes on farther to the right.
std::set<std::string> listed_commands(const std::string& help) {
    std::set<std::string> names;
    const auto begin = help.find("\nCommands:\n");
    REQUIRE(begin != std::string::npos);
    for (const auto& line : lines_of(help.substr(begin)))
        if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ')
            names.insert(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

TEST_SUITE("help") {
    TEST_CASE("it fits the width, and words are not split") {
        const Stage stage;
        for (const char* columns : {"60", "80", "132"}) {
            std::string all = stage.run({"help"}, {.env = {{"COLUMNS", columns}}}).out;
            for (const auto& command : documented_commands())
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
        for (const auto& command : documented_commands()) {
            const auto help = stage.run({"help", command}, {.name_plugins = false});
            CHECK(help.exit_code == 0);
            CHECK(help.out == stage.run({command, "--help"}, {.name_plugins = false}).out);
            CHECK(contains(help.out, "Usage: toolhost " + command));
        }
        const auto nested = stage.run({"help", "profile", "show"});
        CHECK(contains(nested.out, "Usage: toolhost profile show"));
    }

    TEST_CASE("help names every command of docs/cli.md and the options that all take") {
        const Stage stage;
        const auto help = stage.run({"help"}).out;
        CHECK(listed_commands(help) == documented_commands());
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
