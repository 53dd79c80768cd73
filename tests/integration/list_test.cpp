// The tools that list shows, and those that it omits.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

using Names = std::vector<std::string>;

Names listed(const Stage& stage, std::vector<std::string> args, const Options& options = {}) {
    args.insert(args.begin(), {"list", "--json"});
    const auto run = stage.run(args, options);
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    auto names = tool_names(run.json());
    std::sort(names.begin(), names.end());
    return names;
}

TEST_SUITE("list") {
    TEST_CASE("each tool is listed with its spec, defaults filled in") {
        const Stage stage({"adder", "unknown_spec_keys"});
        const auto run = stage.run({"list", "--json"});
        CAPTURE(run);
        for (const auto& spec : run.json().value("tools", Json::array())) {
            for (const auto* key : {"name", "version", "family", "description", "inputSchema"}) {
                CAPTURE(std::string(key));
                CHECK(spec.contains(key));
            }
            CHECK(spec.value("version", "") == "1.0.0");
            if (spec.value("name", "") == "unknown_spec_keys")
                CHECK(spec.value("maintainer", Json()) == Json{{"name", "somebody"}});
        }
        CHECK(tool_names(run.json()).size() == 2);
    }

    TEST_CASE("input_schema_wrapped is shown unwrapped") {
        const Stage stage({"input_schema_wrapped"});
        const auto tools = stage.run({"list", "--json"}).json().value("tools", Json::array());
        REQUIRE(tools.size() == 1);
        CHECK(tools[0]["inputSchema"].value("type", "") == "object");
    }

    TEST_CASE("the order is always family, then name") {
        const Stage stage({"typed", "echo", "adder", "family_of_two"});
        const auto names = tool_names(stage.run({"list", "--json"}).json());
        CHECK(names == Names{"adder", "echo", "pair_first", "pair_second", "typed"});
        CHECK(tool_names(stage.run({"list", "--json", "--no-cache"}).json()) == names);
    }

    TEST_CASE("the text form is a table by family") {
        const Stage stage({"adder", "family_of_two"});
        const auto run = stage.run({"list"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        for (const auto* part : {"arithmetic", "adder", "Adds two integers.", "1.0.0", "pair",
                                 "pair_first", "pair_second"})
            CHECK(contains(run.out, part));
        CHECK(run.out.find("arithmetic") < run.out.find("pair_first"));
        CHECK_FALSE(contains(run.out, "\x1b["));
    }

    TEST_CASE("an empty folder is not an error, and the text names the searched folders") {
        const Stage stage;
        CHECK(listed(stage, {}).empty());
        const auto run = stage.run({"list"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out + run.err, stage.plugins().string()));
    }

    TEST_CASE("libraries with offers but without tools are not reported as unusable") {
        const Stage stage({"offers_only"});
        const auto golden = [&](const std::string& libraries) {
            return "No tools found. Looked in:\n  " + stage.plugins().string() + " (" + libraries +
                   ": run toolhost doctor)\n";
        };
        CHECK(stage.run({"list"}).out ==
              golden("1 library without tools, but with 1 resource, 2 prompts"));
        CHECK(stage.run({"list", "--names"}).out.empty());
        CHECK(stage.run({"list", "--names"}).err == stage.run({"list"}).out);
        CHECK(contains(stage.run({"doctor"}).out, "library:index"));
        // Together with a refused one.
        stage.add("name_missing");
        CHECK(stage.run({"list"}).out ==
              golden("2 libraries without tools, but with 1 resource, 2 prompts"));
        fs::remove(stage.plugins() / "offers_only.so");
        CHECK(stage.run({"list"}).out == golden("1 library, none usable"));
    }

    TEST_CASE("a missing folder is not an error, and the text names the searched folders") {
        const Stage stage;
        const auto missing = (stage.root() / "not-there").string();
        const auto run = stage.run({"list", "--only-plugins", missing}, {.name_plugins = false});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out + run.err, missing));
    }

    TEST_CASE("a file in place of a folder is not an error") {
        const Stage stage({"echo"});
        write_file(stage.root() / "file", "");
        CHECK(listed(stage, {"--plugins", (stage.root() / "file").string()}) == Names{"echo"});
    }

    TEST_CASE("TOOLHOST_PLUGINS is a list of folders") {
        const Stage stage({"echo"});
        const auto second = stage.root() / "second";
        stage.add("adder", second);
        Options options{.env = {{"TOOLHOST_PLUGINS", stage.plugins().string() + ":" +
                                                         second.string() + "::/not/there"}},
                        .name_plugins = false};
        CHECK(listed(stage, {}, options) == Names{"adder", "echo"});
    }

    TEST_CASE("--plugins can be repeated, and relative to the working folder") {
        const Stage stage({"echo"});
        stage.add("adder", stage.root() / "second");
        CHECK(listed(stage, {"--plugins", "second"}) == Names{"adder", "echo"});
    }

    TEST_CASE("--plugins adds to the default folders, --only-plugins replaces them") {
        const Stage stage({"echo"});
        stage.add("adder", stage.root() / "home/.local/share/toolhost/plugins");
        const Options usual{
            .env = {{"XDG_DATA_HOME", (stage.root() / "home/.local/share").string()}},
            .name_plugins = false};
        auto expected = listed(stage, {}, usual);
        CHECK(std::count(expected.begin(), expected.end(), "adder") == 1);
        const auto folder = stage.plugins().string();
        CHECK(listed(stage, {"--only-plugins", folder}, usual) == Names{"echo"});
        expected.push_back("echo");
        std::sort(expected.begin(), expected.end());
        auto both = listed(stage, {"--plugins", folder}, usual);
        std::sort(both.begin(), both.end());
        CHECK(both == expected);
        const auto typo = stage.run({"list", "--plugins", "/no/such"}, usual);
        CHECK(typo.exit_code == 0);
        CHECK(contains(typo.err, "folder /no/such does not exist"));
    }

    TEST_CASE("the table is cut only at a terminal's width") {
        const Stage stage({"long_description"});
        const std::string end = "and its last word is zebra.";
        CHECK(contains(stage.run({"list"}).out, end));
        CHECK(contains(stage.run({"list"}, {.env = {{"COLUMNS", "60"}}}).out, end));
        LiveRun run(stage, {"list"});
        CHECK(run.exit_code() == 0);
        CHECK_FALSE(contains(run.shown(), "zebra"));
        for (const auto& line : lines_of(run.shown())) CHECK(line.size() <= 81);
    }

    TEST_CASE("deprecated and unusable tools are shown on request") {
        const Stage stage({"echo", "versioned_2_0_0_deprecated", "requires_command"});
        CHECK(listed(stage, {}) == Names{"echo"});
        CHECK(listed(stage, {"--deprecated"}) == Names{"versioned"});
        CHECK(listed(stage, {"--all"}) == Names{"echo", "requires_command", "versioned"});
    }

    TEST_CASE("requires_env is usable only if the variable is set") {
        const Stage stage({"requires_env"});
        CHECK(listed(stage, {}).empty());
        // The second run has a warm cache: the environment must not be cached with the spec.
        CHECK(listed(stage, {}, {.env = {{"TOOLHOST_TEST_TOKEN", "x"}}}) == Names{"requires_env"});
        CHECK(listed(stage, {}).empty());
    }

    TEST_CASE("the text form of --all gives the reason why a tool cannot be used") {
        const Stage stage({"requires_command", "versioned_2_0_0_deprecated"});
        const auto run = stage.run({"list", "--all"});
        CAPTURE(run);
        CHECK(contains(run.out, "no-such-command"));
        CHECK(contains(run.out, "deprecated"));
    }

    TEST_CASE("--category and --family narrow the list") {
        const Stage stage({"echo", "adder", "family_of_two"});
        CHECK(listed(stage, {"--category", "compute"}) == Names{"adder"});
        CHECK(listed(stage, {"--family", "pair"}) == Names{"pair_first", "pair_second"});
        CHECK(listed(stage, {"--family", "no_such_family"}).empty());
    }

    TEST_CASE("prints_while_loading: its output does not reach stdout") {
        const Stage stage({"echo", "prints_while_loading"});
        CHECK(listed(stage, {}) == Names{"echo", "prints_while_loading"});
        const auto run = stage.run({"list", "--no-cache"});
        CAPTURE(run);
        CHECK_FALSE(contains(run.out, "noise"));
        // For the author, doctor reports it separately.
        const auto found =
            candidate(stage.run({"doctor", "--json"}).json(), "prints_while_loading.so");
        CHECK(contains(found.value("output", ""), "noise from the constructor"));
    }

    TEST_CASE("wrong options are a usage error, on stderr") {
        const Stage stage;
        for (const auto& args :
             std::vector<std::vector<std::string>>{{"list", "--no-such-option"},
                                                   {"no-such-command"},
                                                   {"--probe-timeout", "soon", "list"}}) {
            const auto run = stage.run(args, {.name_plugins = false});
            CAPTURE(run);
            CHECK(run.exit_code == 2);
            CHECK(run.out.empty());
            CHECK_FALSE(run.err.empty());
        }
    }
}

}  // namespace
}  // namespace toolhost::test
