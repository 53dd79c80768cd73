// call --yes, --timeout and --set: options for a single call.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("call-options") {
    TEST_CASE("--yes consents to the call, not to nested calls") {
        const Stage stage({"careful", "caller"});
        const auto refused = stage.run({"call", "careful"});
        CHECK(refused.exit_code == 13);
        CHECK(contains(refused.err, "--yes\n"));
        CHECK(stage.run({"call", "careful", "--yes"}).out == "done\n");
        CHECK(stage.run({"call", "careful", "-y"}).out == "done\n");
        stage.grant("caller", "tools=careful");
        const auto nested = stage.run({"call", "caller", "ref=careful", "--yes", "--json"});
        CAPTURE(nested);
        CHECK(contains(nested.out, "consent_required"));
        CHECK_FALSE(contains(nested.out, "done"));
        write_file(stage.root() / "deny.yml", "name: deny\nextends: default\nconsent: deny\n");
        const auto denied =
            stage.run({"call", "careful", "--yes", "--json", "--profile", "deny.yml"},
                      {.folder = stage.root()});
        CHECK(code_of(denied) == "consent_denied");
        write_file(stage.root() / "b.jsonl", "{\"tool\":\"careful\"}\n");
        CHECK(stage.run({"call", "--batch", "b.jsonl", "--yes"}, {.folder = stage.root()})
                  .exit_code == 0);
    }

    TEST_CASE("--timeout shortens the call's time") {
        const Stage stage({"waiter"});
        for (const char* time : {"30", "30ms"}) {
            const auto run =
                stage.run({"call", "waiter", "ms=600000", "--timeout", time, "--json"});
            CAPTURE(run);
            CHECK(code_of(run) == "timeout");
            CHECK(run.json().at("error").at("details").at("timeoutMs") == 30);
        }
        const auto longer = stage.run({"call", "waiter", "ms=1", "--timeout", "10m"});
        CHECK(longer.exit_code == 0);
        CHECK(contains(longer.err, "use --set timeoutMs=600000"));
        CHECK(stage.run({"call", "waiter", "ms=1", "--timeout", "25s"}).err == "");
    }

    TEST_CASE("--set overrides settings and keys of the tool's policy, typed by their schema") {
        const Stage stage({"policied", "talker", "waiter"});
        const auto own = stage.run({"call", "policied", "--set", "depth=7", "--set",
                                    "allowed_actions=look", "--set", "allowed_actions=touch"});
        CAPTURE(own);
        const auto policy = own.json();
        CHECK(policy.at("depth") == 7);
        CHECK(policy.at("allowed_actions") == Json{"look", "touch"});
        CHECK(stage.run({"call", "policied", "--set", "allowed_actions:=[\"touch\"]"})
                  .json()
                  .at("allowed_actions") == Json{"touch"});
        CHECK(code_of(stage.run({"call", "talker", "chars=9", "as=json", "--json", "--set",
                                 "maxOutputChars=5"})) == "output_too_large");
        CHECK(
            stage.run({"call", "talker", "chars=30000", "as=json", "--set", "maxOutputChars=50000"})
                .exit_code == 0);
        CHECK(code_of(stage.run({"call", "waiter", "ms=600000", "--json", "--set",
                                 "timeoutMs=20"})) == "timeout");
    }

    TEST_CASE("a repeatable option takes one value, so the input may follow it") {
        const Stage stage({"waiter", "policied", "asker", "echo"});
        const auto set =
            stage.run({"call", "waiter", "--set", "timeoutMs=20", "ms=600000", "--json"});
        CAPTURE(set);
        CHECK(code_of(set) == "timeout");
        const auto folder = stage.plugins().string();
        for (const char* option : {"--plugins", "--only-plugins"}) {
            const auto called =
                stage.run({"call", "waiter", option, folder, "ms=1"}, {.name_plugins = false});
            CAPTURE(called);
            CHECK(called.exit_code == 0);
            CHECK(stage.run({option, folder, "call", "waiter", "ms=1"}, {.name_plugins = false})
                      .exit_code == 0);
        }
        const auto asked = stage.run({"call", "asker", "--json"})
                               .json()
                               .value("/error/details/interrupt/id"_json_pointer, "");
        CHECK(stage.run({"call", "--answer", asked + "=true", "asker"}).out == "went on\n");
        CHECK(stage
                  .run({"test", "--only", "load", "--only", "spec.keys",
                        fixture_library("echo").string()})
                  .exit_code == 0);
    }

    TEST_CASE("--set reports invalid settings") {
        const Stage stage({"policied"});
        struct Case {
            const char *word, *part;
        };
        for (const auto& [word, part] :
             {Case{"dept=7", "did you mean 'depth'?"}, Case{"timeoutms=7", "'timeoutMs'?"},
              Case{"depth=0", "depth"}, Case{"depth=deep", "integer"},
              Case{"maxOutputChars=many", "integer"}, Case{"consent=bypass", "no setting"},
              Case{"sandbox=maybe", "sandbox"}, Case{"allowed_actions=jump", "allowed_actions"}}) {
            const auto run = stage.run({"call", "policied", "--set", word});
            CAPTURE(run);
            CHECK(run.exit_code == 3);
            CHECK(contains(run.err, "--set"));
            CHECK(contains(run.err, part));
        }
    }

    TEST_CASE("a request of a batch cannot contain these options") {
        const Stage stage({"careful", "policied"});
        write_file(stage.root() / "b.jsonl",
                   "{\"tool\":\"careful\",\"consented\":true,\"yes\":true}\n"
                   "{\"tool\":\"policied\",\"set\":{\"depth\":7}}\n");
        const auto run = stage.run({"call", "--batch", "b.jsonl"}, {.folder = stage.root()});
        CAPTURE(run);
        CHECK_FALSE(contains(run.out, "done"));
        CHECK_FALSE(contains(run.out, "\"depth\":7"));
    }
}

}  // namespace
}  // namespace toolhost::test
