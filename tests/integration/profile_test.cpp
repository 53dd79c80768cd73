// Profiles and the config file on the command line.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("profile") {
    TEST_CASE("deny takes precedence over allow, and the message names the rule") {
        const Stage stage({"echo", "adder"});
        write_file(stage.root() / "p.yml",
                   "name: p\nextends: default\ntools:\n  allow: [\"native:*\"]\n"
                   "  deny:\n    - \"native:ec*\"\n");
        const auto run =
            stage.run({"call", "echo", "--profile", "p.yml", "--json"}, {.folder = stage.root()});
        CAPTURE(run);
        CHECK(run.exit_code == 13);
        CHECK(code_of(run) == "tool_not_allowed");
        for (const char* part : {"tools.deny", "native:ec*", "profile 'p'", "p.yml:6:"})
            CHECK(contains(run.json().value("/error/message"_json_pointer, ""), part));
        // A denial applies to every caller.
        CHECK(stage
                  .run({"call", "echo", "--profile", "./p.yml"},
                       {.env = {{"TOOLHOST_ALLOW", "echo"}}, .folder = stage.root()})
                  .exit_code == 13);
        CHECK(stage
                  .run({"call", "adder", "a=1", "b=1", "--profile", "p.yml"},
                       {.folder = stage.root()})
                  .out == "2\n");
        CHECK(
            tool_names(stage.run({"list", "--json", "--profile", "p.yml"}, {.folder = stage.root()})
                           .json()) == std::vector<std::string>{"adder"});
        const auto all =
            stage.run({"list", "--all", "--profile", "p.yml"}, {.folder = stage.root()});
        CHECK(contains(unwrapped(all.out), "(not allowed"));
    }

    TEST_CASE("an allowlist without a tool is widened by TOOLHOST_ALLOW and the config file") {
        const Stage stage({"echo"});
        CHECK(stage.run({"call", "echo", "--profile", "locked-down"}).exit_code == 13);
        CHECK(stage
                  .run({"call", "echo", "--profile", "locked-down"},
                       {.env = {{"TOOLHOST_ALLOW", "echo"}}})
                  .exit_code == 0);
        const auto config = stage.root() / "config.yml";
        write_file(config, "profile: locked-down\nallow: [\"native:echo\"]\n");
        const auto run = stage.run({"call", "echo", "--config", config.string()});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        fs::create_directories(stage.root() / "home/.config/toolhost");
        fs::copy_file(config, stage.root() / "home/.config/toolhost/config.yml");
        CHECK(stage.run({"call", "echo", "--json"}).exit_code == 0);
        CHECK(stage.run({"call", "echo"}, {.env = {{"TOOLHOST_PROFILE", "default"}}}).exit_code ==
              0);
    }

    TEST_CASE("a tool's own policy: defaults, values and violations") {
        const Stage stage({"policied"});
        auto policy = [&](const std::string& yaml) {
            write_file(stage.root() / "p.yml", "name: p\nextends: default\n" + yaml);
            return stage.run({"call", "policied", "--json", "--profile", "p.yml"},
                             {.folder = stage.root()});
        };
        const auto workspace = stage.root().string();
        CHECK(policy("").json()["content"][0]["json"] == Json{{"allowed_actions", {"look"}},
                                                              {"depth", 3},
                                                              {"maxOutputChars", 20000},
                                                              {"workspace", workspace}});
        CHECK(policy("policies: { policied: { depth: 5, timeoutMs: 1000 } }\n")
                  .json()["content"][0]["json"] == Json{{"allowed_actions", {"look"}},
                                                        {"depth", 5},
                                                        {"maxOutputChars", 20000},
                                                        {"workspace", workspace}});
        const auto wrong =
            policy("policies:\n  policied:\n    allowed_actions: [look, eat]\n    depth: 0\n");
        CAPTURE(wrong);
        CHECK(wrong.exit_code == 3);
        CHECK(wrong.out.empty());
        CHECK(contains(wrong.err, "p.yml:5:29"));
        CHECK(contains(wrong.err, "p.yml:6:12"));
        CHECK(contains(wrong.err, "\"touch\""));
        // Doctor reports it, and continues.
        const auto doctor =
            stage.run({"doctor", "--json", "--profile", "p.yml"}, {.folder = stage.root()});
        CHECK(doctor.exit_code == 0);
        CHECK(contains(doctor.json()["profile"]["problem"].get<std::string>(), "p.yml:5:29"));
    }

    TEST_CASE("an invalid profile is refused before anything runs") {
        const Stage stage({"echo"});
        struct Row {
            const char *yaml, *where, *part;
        };
        for (const auto& [yaml, where, part] :
             {Row{"name: p\ntimeoutMS: 5\n", "p.yml:2:1", "timeoutMS"},
              Row{"name: p\nconsent: maybe\n", "p.yml:2:10", "\"bypass\""},
              Row{"name: p\nextends: p.yml\n", "p.yml:2:10", "extends"},
              Row{"name: p\nextends: missing\n", "p.yml:2:10", "missing"},
              Row{"name: p\ntools: {deny: [\"[\"]}\n", "p.yml:2:", "["},
              Row{"name: [\n", "p.yml:", ""}}) {
            const auto& shown_yaml = yaml;
            CAPTURE(shown_yaml);
            write_file(stage.root() / "p.yml", yaml);
            const auto run =
                stage.run({"call", "echo", "--profile", "p.yml"}, {.folder = stage.root()});
            CAPTURE(run);
            CHECK(run.exit_code == 3);
            CHECK(contains(run.err, where));
            CHECK(contains(run.err, part));
        }
        const auto unknown = stage.run({"call", "echo", "--profile", "lokced-down"});
        CHECK(unknown.exit_code == 3);
        CHECK(contains(unknown.err, "locked-down"));
        CHECK(stage.run({"call", "echo", "--config", "/no/such.yml"}).exit_code == 12);
    }

    TEST_CASE("a tool that requires a sandbox does not run without one") {
        const Stage stage({"echo"});
        write_file(stage.root() / "p.yml",
                   "name: p\nextends: default\n"
                   "defaults: { isolation: in_process, sandbox: required }\n");
        const auto run =
            stage.run({"call", "echo", "--json", "--profile", "p.yml"}, {.folder = stage.root()});
        CHECK(run.exit_code == 18);
        CHECK(code_of(run) == "sandbox_unavailable");
        CHECK(contains(run.out, "sandbox: required"));
    }

    TEST_CASE("profile show prints each effective value and its origin") {
        const Stage stage;
        write_file(stage.root() / "p.yml", "name: p\nextends: ci\ndefaults: { timeoutMs: 77 }\n");
        const auto run = stage.run({"profile", "show", "p.yml"}, {.folder = stage.root()});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "77"));
        CHECK(contains(run.out, "p.yml:3:24"));
        CHECK(contains(run.out, "shipped:ci.yml"));
        CHECK(contains(run.out, "shipped:default.yml"));
        const auto json =
            stage.run({"profile", "show", "p.yml", "--json"}, {.folder = stage.root()}).json();
        CHECK(json["profile"]["defaults"]["timeoutMs"] == 77);
        CHECK(json["origins"]["/defaults/timeoutMs"].get<std::string>().ends_with("p.yml:3:24"));
        const auto list = stage.run({"profile", "list"});
        for (const char* name : {"default", "read-only", "ci", "locked-down"})
            CHECK(contains(list.out, name));
        CHECK(stage.run({"profile", "show", "missing"}).exit_code == 3);
    }
}

}  // namespace
}  // namespace toolhost::test
