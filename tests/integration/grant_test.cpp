// Grants: written to the grants file beside the config file, listed and revoked.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("grant") {
    TEST_CASE("the first grant creates the file, for its owner only") {
        const Stage stage({"needs_all"});
        const auto file = stage.root() / "home/.config/toolhost/grants.yml";
        const auto run = stage.run({"grant", "needs_all", "network"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        CHECK(run.out == "needs_all is now granted network (" + file.string() + ")\n");
        CHECK(read_file(file).starts_with("# Written by toolhost"));
        CHECK(read_file(file).ends_with("\ngrants:\n  \"needs_all\": [\"network\"]\n"));
        CHECK(mode_of(file) == 0600);
        CHECK(mode_of(file.parent_path()) == 0700);
        CHECK_FALSE(fs::exists(file.parent_path() / "config.yml"));

        const auto again = stage.run({"grant", "needs_all", "network"});
        CHECK(again.exit_code == 0);
        CHECK(contains(again.out, "is granted network; nothing changed"));

        const auto list = stage.run({"grant"});
        CHECK(list.exit_code == 0);
        CHECK(contains(unwrapped(list.out), "needs_all network " + file.string() + ":4:17"));
        CHECK(contains(unwrapped(list.out), "shipped:shell exec shipped:default.yml:"));
        const auto json = stage.run({"grant", "--json"}).json();
        CHECK(json["grants"].back() == Json{{"tool", "needs_all"},
                                            {"grant", "network"},
                                            {"from", file.string() + ":4:17"},
                                            {"inForce", true}});
    }

    TEST_CASE("the config file and the mode of the grants file are not changed") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml", file = stage.root() / "c.grants.yml";
        const std::string before =
            "# mine\nprofile: ci   # always\n\ngrants:\n  # old\n  x: [exec]\n";
        write_file(config, before);
        const auto grant = [&](std::vector<std::string> words) {
            words.insert(words.begin(), "grant");
            words.insert(words.end(), {"--config", config.string()});
            return stage.run(words);
        };
        const auto run = grant({"needs_all", "exec", "write", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.json() == Json{{"tool", "needs_all"},
                                 {"granted", {"exec", "write"}},
                                 {"changed", true},
                                 {"file", file.string()}});
        CHECK(read_file(config) == before);
        fs::permissions(file, fs::perms(0640));
        CHECK(contains(grant({"other", "network"}).out, "other is now granted network"));
        CHECK(mode_of(file) == 0640);
        const auto back = grant({"needs_all", "write", "exec", "--revoke"});
        CHECK(contains(back.out, "needs_all is now granted nothing"));
        CHECK(contains(read_file(file), "other"));
        CHECK_FALSE(contains(read_file(file), "needs_all"));
        // Revoking a missing grant is not an error.
        const auto none = grant({"needs_all", "exec", "--revoke"});
        CHECK(none.exit_code == 0);
        CHECK(contains(none.out, "nothing changed"));
        CHECK(read_file(config) == before);
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(stage.root()))
            files += entry.path().filename().string().starts_with("c.");
        CHECK(files == 2);
    }

    TEST_CASE("grants written by hand take effect, are listed, and revoked by hand") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml", file = stage.root() / "c.grants.yml";
        write_file(config, "grants:\n  needs_all: [network, exec]\n");
        const auto name = config.string();
        CHECK(contains(stage.run({"grant", "needs_all", "exec", "--config", name}).out,
                       "is granted network, exec; nothing changed"));
        CHECK_FALSE(fs::exists(file));
        CHECK(stage.run({"grant", "needs_all", "write", "--config", name}).exit_code == 0);
        CHECK(stage.run({"call", "needs_all", "--config", name}).exit_code == 0);
        for (const std::string command : {"grant", "profile"}) {
            const auto list = command == "grant" ? stage.run({"grant", "--config", name})
                                                 : stage.run({"profile", "show", "--config", name});
            CAPTURE(list);
            CHECK(contains(unwrapped(list.out), "needs_all exec " + name + ":2:24"));
            CHECK(contains(unwrapped(list.out), "needs_all write " + file.string() + ":4:17"));
        }
        const auto shown = stage.run({"profile", "show", "--json", "--config", name}).json();
        CHECK(shown["grants"].back()["from"] == file.string() + ":4:17");

        const auto run =
            stage.run({"grant", "needs_all", "exec", "write", "--revoke", "--config", name});
        CAPTURE(run);
        CHECK(run.exit_code == 3);
        CHECK(contains(run.out, "needs_all is now granted network, exec"));
        CHECK(contains(run.err, name + ":2:24: exec is granted to needs_all by hand; remove it"));
        CHECK_FALSE(contains(read_file(file), "write"));
        CHECK(read_file(config) == "grants:\n  needs_all: [network, exec]\n");
    }

    TEST_CASE("many grants at once are all written") {
        const Stage stage({"needs_all"});
        std::vector<std::thread> writers;
        std::atomic<int> written = 0;
        for (int i = 0; i < 4; ++i)
            writers.emplace_back([&, i] {
                written += stage.run({"grant", "t" + std::to_string(i), "exec"}).exit_code == 0;
            });
        for (auto& writer : writers) writer.join();
        CHECK(written == 4);
        const auto text = read_file(stage.root() / "home/.config/toolhost/grants.yml");
        for (int i = 0; i < 4; ++i) CHECK(contains(text, "\"t" + std::to_string(i) + "\": "));
    }

    TEST_CASE("paths are made absolute") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml";
        write_file(config, "");
        fs::create_directories(stage.root() / "a/notes");
        const auto run = stage.run({"grant", "needs_all", "write=notes/", "write=~/x", "write=../b",
                                    "--config", config.string()},
                                   {.folder = stage.root() / "a"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto here = fs::canonical(stage.root()).string();
        const auto text = read_file(stage.root() / "c.grants.yml");
        CAPTURE(text);
        CHECK(contains(text, "\"write=" + here + "/a/notes\""));
        CHECK(contains(text, "\"write=" + (stage.root() / "home/x").string() + "\""));
        CHECK(contains(text, "\"write=" + here + "/b\""));
        CHECK(contains(run.err, "/b does not exist"));
        CHECK_FALSE(contains(run.err, "notes does not exist"));
    }

    TEST_CASE("a grant without effect causes a warning") {
        const Stage stage({"needs_all", "echo"});
        const auto config = (stage.root() / "c.yml").string();
        write_file(config, "");
        const auto missing = stage.run({"grant", "missing", "exec", "--config", config});
        CHECK(missing.exit_code == 0);
        CHECK(contains(missing.err, "no tool matches 'missing'"));
        const auto echo = stage.run({"grant", "echo", "network", "--config", config});
        CHECK(echo.exit_code == 0);
        CHECK(contains(echo.err, "'echo' does not request network"));
        const auto unshipped =
            stage.run({"grant", "shipped:needs_all", "network", "--config", config});
        CHECK(contains(unshipped.err, "no tool matches 'shipped:needs_all'"));
        const auto locked = stage.run(
            {"grant", "needs_all", "exec", "--config", config, "--profile", "locked-down"});
        CHECK(locked.exit_code == 0);
        CHECK(contains(locked.err, "profile 'locked-down' ignores the user's grants"));
        const auto list =
            stage.run({"grant", "--json", "--config", config, "--profile", "locked-down"}).json();
        REQUIRE(list["grants"].size() == 4);
        for (const auto& row : list["grants"]) CHECK(row["inForce"] == false);
        CHECK(contains(stage.run({"grant", "--config", config, "--profile", "locked-down"}).out,
                       "not in force: profile 'locked-down' has userGrants: false"));
    }

    TEST_CASE("invalid grants are refused and the file is unchanged") {
        const Stage stage({"needs_all"});
        const auto config = stage.root() / "c.yml";
        const auto name = config.string();
        write_file(config, "");
        CHECK(stage.run({"grant", "needs_all", "netwrok", "--config", name}).exit_code == 2);
        CHECK(contains(stage.run({"grant", "needs_all", "netwrok", "--config", name}).err,
                       "did you mean 'network'?"));
        CHECK(stage.run({"grant", "a[", "network", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "needs_all", "write=", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "needs_all", "write=~missing/x", "--config", name}).exit_code ==
              2);
        CHECK(stage.run({"grant", "needs_all", "--config", name}).exit_code == 2);
        CHECK(stage.run({"grant", "--revoke", "--config", name}).exit_code == 2);
        CHECK_FALSE(fs::exists(stage.root() / "c.grants.yml"));
        const std::string wrong_grants = "grants:\n  a: [exce]\n";
        write_file(stage.root() / "c.grants.yml", wrong_grants);
        const auto owned = stage.run({"grant", "needs_all", "network", "--config", name});
        CHECK(owned.exit_code == 3);
        CHECK(contains(owned.err, "c.grants.yml:2:7: 'exce' is not a grant; did you mean 'exec'?"));
        CHECK(stage.run({"list", "--config", name}).exit_code == 3);
        CHECK(read_file(stage.root() / "c.grants.yml") == wrong_grants);
        fs::remove(stage.root() / "c.grants.yml");
        write_file(config, "grants:\n  a: [exce]\n");
        const auto wrong = stage.run({"grant", "needs_all", "network", "--config", name});
        CHECK(wrong.exit_code == 3);
        CHECK(contains(wrong.err, "c.yml:2:7: 'exce' is not a grant; did you mean 'exec'?"));
        CHECK(stage.run({"grant", "needs_all", "exec", "--config", "/proc/none/c.yml"}).exit_code ==
              12);
    }

    TEST_CASE("profile show prints grants, environment and workers with their origins") {
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

    TEST_CASE("probable mistakes are reported or refused") {
        const Stage stage({"needs_all"});
        CHECK(stage.run({"grant", "", "network"}).exit_code == 2);
        CHECK(
            contains(stage.run({"grant", "needs_all", "write=/"}).err, "everywhere you can write"));
        CHECK(contains(stage.run({"grant", "needs_all", "write=/no/such"}).err,
                       "does not exist; calls fail until it does"));
        CHECK(contains(stage.run({"grant", "--revoke", "needs_all", "exec"}).out,
                       "; nothing changed"));
        // The target, not the link.
        fs::create_directory(stage.root() / "real");
        fs::create_symlink(stage.root() / "real", stage.root() / "link");
        CHECK(contains(stage.run({"grant", "needs_all", "write=link"}).out,
                       "write=" + fs::canonical(stage.root() / "real").string()));
        const auto shown = stage.run({"show", "needs_all"});
        CAPTURE(shown);
        CHECK(contains(shown.out, "Not granted   run toolhost grant needs_all network"));
        CHECK_FALSE(contains(shown.out, "grant needs_all write"));
    }

    TEST_CASE("a tool calls only tools that it declares and is granted") {
        const Stage stage({"caller", "echo", "adder"});
        const auto nested = [&](const std::string& tool) {
            const auto run = stage.run({"call", "caller", "ref=" + tool, "--json"});
            CAPTURE(run);
            CHECK(run.exit_code == 0);  // the tool continues; its nested call was refused
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

    TEST_CASE("a tool without its grants is not run, and the error contains the grant command") {
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

    TEST_CASE("a refused process is an error, not a crash, even with all signals blocked") {
        const Stage stage({"forks_quietly"});
        for (int i = 0; i < 6; ++i) {
            const auto run = stage.run({"call", "forks_quietly", "--json"});
            CAPTURE(run);
            CHECK(run.json()["content"][0]["text"] == "EACCES");
        }
        CHECK(stage.run({"grant", "forks_quietly", "exec"}).exit_code == 0);
        CHECK(stage.run({"call", "forks_quietly"}).out == "forked\n");
    }

    TEST_CASE("a new grant lifts a quarantine, and revoking it restores it") {
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
