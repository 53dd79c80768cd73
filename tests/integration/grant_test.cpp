// Grants: written to the user's config file, listed, taken back.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("grant") {
    TEST_CASE("the first grant makes the file, for its owner alone") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "home/.config/toolhost/config.yml";
        const auto run = stage.run({"grant", "needs_all", "network"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        CHECK(run.out == "needs_all is now granted network (" + config.string() + ")\n");
        CHECK(read_file(config) == "grants:\n  needs_all: [network]\n");
        CHECK(mode_of(config) == 0600);
        CHECK(mode_of(config.parent_path()) == 0700);

        const auto again = stage.run({"grant", "needs_all", "network"});
        CHECK(again.exit_code == 0);
        CHECK(contains(again.out, "is granted network; nothing changed"));

        const auto list = stage.run({"grant"});
        CHECK(list.exit_code == 0);
        CHECK(contains(unwrapped(list.out), "needs_all network " + config.string() + ":2:15"));
        CHECK(contains(unwrapped(list.out), "shipped:shell exec shipped:default.yml:"));
        const auto json = stage.run({"grant", "--json"}).json();
        CHECK(json["grants"].back() == Json{{"tool", "needs_all"},
                                            {"grant", "network"},
                                            {"from", config.string() + ":2:15"},
                                            {"inForce", true}});
    }

    TEST_CASE("the rest of the file stays, comments included, and so does its mode") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml";
        const std::string before =
            "# mine\nprofile: ci   # always\n\ngrants:\n  # old\n  x: [exec]\n";
        write_file(config, before);
        fs::permissions(config, fs::perms(0640));
        const auto run = stage.run(
            {"grant", "needs_all", "exec", "write", "--json", "--config", config.string()});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.json() == Json{{"tool", "needs_all"},
                                 {"granted", {"exec", "write"}},
                                 {"changed", true},
                                 {"file", config.string()}});
        CHECK(read_file(config) ==
              "# mine\nprofile: ci   # always\n\ngrants:\n  needs_all: [exec, write]\n  # old\n"
              "  x: [exec]\n");
        CHECK(mode_of(config) == 0640);
        const auto back = stage.run(
            {"grant", "needs_all", "write", "exec", "--revoke", "--config", config.string()});
        CHECK(contains(back.out, "needs_all is now granted nothing"));
        CHECK(read_file(config) == before);
        // Revoking what was never granted is not an error.
        const auto none =
            stage.run({"grant", "needs_all", "exec", "--revoke", "--config", config.string()});
        CHECK(none.exit_code == 0);
        CHECK(contains(none.out, "nothing changed"));
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(stage.root()))
            files += entry.path().filename().string().starts_with("c.yml");
        CHECK(files == 1);
    }

    TEST_CASE("a link to the file stays a link") {
        const Stage stage({"needs_all"});
        fs::create_directories(stage.root() / "dotfiles");
        write_file(stage.root() / "dotfiles/c.yml", "profile: ci\n");
        fs::create_symlink("dotfiles/c.yml", stage.root() / "c.yml");
        CHECK(
            stage.run({"grant", "needs_all", "exec", "--config", (stage.root() / "c.yml").string()})
                .exit_code == 0);
        CHECK(fs::is_symlink(stage.root() / "c.yml"));
        CHECK(read_file(stage.root() / "dotfiles/c.yml") ==
              "profile: ci\ngrants:\n  needs_all: [exec]\n");
    }

    TEST_CASE("paths are made whole") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "new/folder/c.yml";
        fs::create_directories(stage.root() / "a/notes");
        const auto run = stage.run({"grant", "needs_all", "write=notes/", "write=~/x", "write=../b",
                                    "--config", config.string()},
                                   {.folder = stage.root() / "a"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto here = fs::canonical(stage.root()).string();
        const auto text = read_file(config);
        CAPTURE(text);
        CHECK(contains(text, "write=" + here + "/a/notes,"));
        CHECK(contains(text, "write=" + (stage.root() / "home/x").string() + ","));
        CHECK(contains(text, "write=" + here + "/b]"));
        CHECK(contains(run.err, "/b does not exist"));
        CHECK_FALSE(contains(run.err, "notes does not exist"));
    }

    TEST_CASE("it warns of what opens nothing") {
        const Stage stage({"needs_all", "echo"});
        const auto config = (stage.root() / "c.yml").string();
        const auto nobody = stage.run({"grant", "nobody", "exec", "--config", config});
        CHECK(nobody.exit_code == 0);
        CHECK(contains(nobody.err, "no tool matches 'nobody'"));
        const auto echo = stage.run({"grant", "echo", "network", "--config", config});
        CHECK(echo.exit_code == 0);
        CHECK(contains(echo.err, "'echo' does not request network"));
        const auto stranger =
            stage.run({"grant", "shipped:needs_all", "network", "--config", config});
        CHECK(contains(stranger.err, "no tool matches 'shipped:needs_all'"));
        const auto locked = stage.run(
            {"grant", "needs_all", "exec", "--config", config, "--profile", "locked-down"});
        CHECK(locked.exit_code == 0);
        CHECK(contains(locked.err, "profile 'locked-down' ignores the grants of the config file"));
        const auto list =
            stage.run({"grant", "--json", "--config", config, "--profile", "locked-down"}).json();
        REQUIRE(list["grants"].size() == 4);
        for (const auto& row : list["grants"]) CHECK(row["inForce"] == false);
        CHECK(contains(stage.run({"grant", "--config", config, "--profile", "locked-down"}).out,
                       "not in force: profile 'locked-down' has userGrants: false"));
    }

    TEST_CASE("what is wrong is refused, and the file stays") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml";
        const auto name = config.string();
        write_file(config, "grants:\n  a: &x [exec]\n  needs_all: *x\n");
        CHECK(stage.run({"grant", "needs_all", "netwrok", "--config", name}).exit_code == 2);
        CHECK(contains(stage.run({"grant", "needs_all", "netwrok", "--config", name}).err,
                       "did you mean 'network'?"));
        CHECK(stage.run({"grant", "a[", "network", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "needs_all", "write=", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "needs_all", "write=~nobody/x", "--config", name}).exit_code ==
              2);
        CHECK(stage.run({"grant", "needs_all", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "--revoke", "--config", name}).exit_code == 2);
        const auto alias = stage.run({"grant", "needs_all", "network", "--config", name});
        CHECK(alias.exit_code == 3);
        CHECK(contains(alias.err, "add by hand, under grants: needs_all: [network]"));
        CHECK(read_file(config) == "grants:\n  a: &x [exec]\n  needs_all: *x\n");
        write_file(config, "grants:\n  a: [exce]\n");
        const auto wrong = stage.run({"grant", "needs_all", "network", "--config", name});
        CHECK(wrong.exit_code == 3);
        CHECK(contains(wrong.err, "c.yml:2:7: 'exce' is not a grant; did you mean 'exec'?"));
        CHECK(stage.run({"grant", "needs_all", "exec", "--config", "/proc/none/c.yml"}).exit_code ==
              12);
    }

    TEST_CASE("profile show says grants, environment and workers, and from where") {
        const Stage stage;
        write_file(stage.root() / "p.yml",
                   "name: p\nextends: default\ngrants:\n  a: [exec]\nenvironment: [TOKEN]\n"
                   "workers: {idleSeconds: 7}\n");
        const auto run = stage.run({"profile", "show", "p.yml"}, {.folder = stage.root()});
        CAPTURE(run);
        const auto text = unwrapped(run.out);
        for (const char* part :
             {"/grants/a/0 exec p.yml:4:7", "/userGrants true built in", "TOKEN p.yml:5:15",
              "/workers/idleSeconds 7 p.yml:6:24", "/workers/maxCrashes 5 built in"})
            CHECK(contains(text, part));
        const auto list = stage.run({"grant", "--profile", "p.yml"}, {.folder = stage.root()});
        CHECK(contains(unwrapped(list.out), "a exec p.yml:4:7"));
    }

    TEST_CASE("what is likely not meant is said or refused") {
        const Stage stage({"needs_all"});
        CHECK(stage.run({"grant", "", "network"}).exit_code == 2);
        CHECK(
            contains(stage.run({"grant", "needs_all", "write=/"}).err, "everywhere you can write"));
        CHECK(contains(stage.run({"grant", "needs_all", "write=/no/such"}).err,
                       "does not exist; calls fail until it does"));
        CHECK(contains(stage.run({"grant", "--revoke", "needs_all", "exec"}).out,
                       "; nothing changed"));
        // Where it leads, not the link.
        fs::create_directory(stage.root() / "real");
        fs::create_symlink(stage.root() / "real", stage.root() / "link");
        CHECK(contains(stage.run({"grant", "needs_all", "write=link"}).out,
                       "write=" + fs::canonical(stage.root() / "real").string()));
        const auto shown = stage.run({"show", "needs_all"});
        CAPTURE(shown);
        CHECK(contains(shown.out, "Not granted   run toolhost grant needs_all network"));
        CHECK_FALSE(contains(shown.out, "grant needs_all write"));
    }

    TEST_CASE("a tool calls those tools alone that it declares and is granted") {
        const Stage stage({"caller", "echo", "adder"});
        const auto nested = [&](const std::string& tool) {
            const auto run = stage.run({"call", "caller", "ref=" + tool, "--json"});
            CAPTURE(run);
            CHECK(run.exit_code == 0);  // the tool lives on; the call within it was refused
            return run.json().value("/content/0/json/error"_json_pointer, Json::object());
        };
        CHECK(nested("adder")["details"]["reason"] == "grant_missing");
        CHECK(contains(nested("adder")["message"].get<std::string>(), "does not declare the call"));
        const auto refused = nested("echo");
        CHECK(refused["code"] == "policy_denied");
        CHECK(contains(refused["message"].get<std::string>(),
                       "run 'toolhost grant caller tools=echo'"));
        CHECK(contains(unwrapped(stage.run({"show", "caller"}).out),
                       "May call echo: not granted; run toolhost grant caller tools=echo"));
        CHECK(contains(unwrapped(stage.run({"doctor"}).out),
                       "caller calls echo: not granted -> toolhost grant caller tools=echo"));

        stage.grant("caller", "tools=echo");
        CHECK(nested("echo").empty());
        CHECK(nested("adder")["details"]["reason"] == "grant_missing");
        CHECK(contains(stage.run({"show", "caller"}).out, "May call      echo\n"));
        const auto shown = stage.run({"show", "caller", "--json"}).json();
        CHECK(std::count(shown["calls"].begin(), shown["calls"].end(),
                         Json{{"tool", "echo"}, {"granted", true}}) == 1);
        CHECK(contains(stage.run({"grant", "caller", "tools=adder"}).err,
                       "does not request tools=adder"));
        CHECK(nested("adder")["details"]["reason"] == "grant_missing");
    }

    TEST_CASE("a profile can revoke grants with none, a config file cannot") {
        const Stage stage;
        const auto list = stage.run({"grant", "--profile", "read-only"});
        CAPTURE(list);
        CHECK(contains(list.out, "No grants"));
        const auto run = stage.run({"grant", "git", "none"});
        CAPTURE(run);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, "--revoke"));
    }

    TEST_CASE("a tool whose needs are not granted is not run, and told what would") {
        const Stage stage({"needs_all"});
        const auto run = stage.run({"call", "needs_all", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 13);
        const auto error = run.json()["error"];
        CHECK(error["code"] == "policy_denied");
        CHECK(error["details"]["reason"] == "grant_missing");
        CHECK(error["details"]["missing"] == Json{"network", "exec", "write"});
        for (const char* grant : {"network", "exec", "write"})
            CHECK(contains(error["message"].get<std::string>(),
                           std::string("toolhost grant needs_all ") + grant));
        CHECK(stage.run({"grant", "needs_all", "network", "exec", "write"}).exit_code == 0);
        CHECK(stage.run({"call", "needs_all"}).exit_code == 0);
        const auto locked = stage.run({"call", "needs_all", "--profile", "read-only", "--json"});
        CHECK(contains(locked.out, "which only profile 'read-only' can grant"));
    }

    TEST_CASE("a refused process is an error and no crash, also with all signals blocked") {
        const Stage stage({"forks_quietly"});
        for (int i = 0; i < 6; ++i) {
            const auto run = stage.run({"call", "forks_quietly", "--json"});
            CAPTURE(run);
            CHECK(run.json()["content"][0]["text"] == "EACCES");
        }
        CHECK(stage.run({"grant", "forks_quietly", "exec"}).exit_code == 0);
        CHECK(stage.run({"call", "forks_quietly"}).out == "forked\n");
    }

    TEST_CASE("a new grant lifts a quarantine, and taking it back restores it") {
        const Stage stage({"forks_quietly"});
        const auto call = [&](const std::string& how) {
            return code_of(stage.run({"call", "forks_quietly", "how=" + how, "--json"}));
        };
        for (int i = 0; i < 5; ++i) CHECK(call("crash") == "plugin_crashed");
        CHECK(call("fork") == "plugin_quarantined");
        CHECK(tool_names(stage.run({"list", "--json"}).json()).empty());
        CHECK(stage.run({"grant", "forks_quietly", "exec"}).exit_code == 0);
        CHECK(call("fork").empty());
        CHECK(tool_names(stage.run({"list", "--json"}).json()).size() == 1);
        CHECK(stage.run({"grant", "forks_quietly", "exec", "--revoke"}).exit_code == 0);
        CHECK(call("fork") == "plugin_quarantined");
        CHECK(stage.run({"retry", "forks_quietly"}).exit_code == 0);
        CHECK(call("fork").empty());
    }
}

}  // namespace
}  // namespace toolhost::test
