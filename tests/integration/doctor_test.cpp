// Doctor's entry for every candidate. A broken plugin does not affect the others.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "host/discovery/reason.hpp"
#include "tests/integration/broken_files.hpp"
#include "tests/integration/broken_plugins.hpp"
#include "tests/integration/child.hpp"
#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

std::string advice_for(std::string_view code) {
    const auto reason = discovery::find_reason(code);
    REQUIRE_MESSAGE(reason, "no such reason: ", code);
    return std::string(discovery::info(*reason).advice);
}

// The stage contains a valid echo and one broken file.
void check_refused(const Stage& stage, const std::string& file, const std::string& reason,
                   std::vector<std::string> args = {}) {
    args.insert(args.begin(), {"doctor", "--json"});
    const auto doctor = stage.run(args);
    CAPTURE(doctor);
    CHECK(doctor.exit_code == 1);
    const auto broken = candidate(doctor.json(), file);
    CHECK(broken.value("status", "") == "refused");
    CHECK(broken.value("reason", "") == reason);
    CHECK_FALSE(broken.value("message", "").empty());
    CHECK(broken.value("advice", "") == advice_for(reason));
    CHECK(broken.value("tools", Json::array()).empty());

    const auto good = candidate(doctor.json(), "echo.so");
    CHECK(good.value("status", "") == "ok");
    CHECK(good.value("tools", Json::array()) == Json::array({"echo"}));

    args[0] = "list";
    const auto list = stage.run(args);
    CAPTURE(list);
    CHECK(list.exit_code == 0);
    CHECK(tool_names(list.json()) == std::vector<std::string>{"echo"});
}

TEST_SUITE("doctor") {
    TEST_CASE("a broken plugin is refused with its reason") {
        for (const auto& row : kBrokenPlugins) {
            if (row.hangs) continue;
            SUBCASE(row.fixture) {
                const Stage stage({"echo", row.fixture});
                check_refused(stage, std::string(row.fixture) + ".so", row.reason);
            }
        }
    }

    TEST_CASE("family_of_two: two tools in one library are one candidate") {
        const Stage stage({"family_of_two"});
        const auto found = candidate(stage.run({"doctor", "--json"}).json(), "family_of_two.so");
        CHECK(found.value("status", "") == "ok");
        CHECK(found.value("tools", Json::array()) == Json::array({"pair_first", "pair_second"}));
        CHECK_FALSE(found.contains("reason"));
    }

    TEST_CASE("an unusual plugin is accepted") {
        for (const auto* fixture :
             {"newer_abi_minor", "larger_struct_size", "input_schema_wrapped", "unknown_spec_keys",
              "prints_while_loading", "private_dependency"}) {
            SUBCASE(fixture) {
                const Stage stage({fixture});
                const auto doctor = stage.run({"doctor", "--json"});
                CAPTURE(doctor);
                const auto found = candidate(doctor.json(), std::string(fixture) + ".so");
                CHECK(found.value("status", "") == "ok");
                CHECK(found.value("tools", Json::array()) == Json::array({fixture}));
                const auto call = stage.run({"call", fixture});
                CAPTURE(call);
                CHECK(call.exit_code == 0);
            }
        }
    }

    TEST_CASE("open_fails_told: the output of tool_open() is in the report") {
        const Stage stage({"echo", "open_fails_told", "open_fails"});
        const auto doctor = stage.run({"doctor", "--json"});
        CAPTURE(doctor);
        CHECK(doctor.exit_code == 1);
        for (const char* file : {"open_fails_told.so", "open_fails.so"}) {
            const auto found = candidate(doctor.json(), file);
            CHECK(found.value("status", "") == "refused");
            CHECK(found.value("reason", "") == "open_failed");
            CHECK(found.value("advice", "") == advice_for("open_failed"));
        }
        const auto told = candidate(doctor.json(), "open_fails_told.so");
        CHECK(contains(told.value("message", ""), "the licence has expired"));
        CHECK(candidate(doctor.json(), "echo.so").value("status", "") == "ok");
        const auto text = stage.run({"doctor"});
        CHECK(text.exit_code == 1);
        CHECK(contains(unwrapped(text.out), "open_failed: "));
    }

    TEST_CASE("unknown_spec_keys: an unknown key is a warning") {
        const Stage stage({"unknown_spec_keys"});
        const auto found =
            candidate(stage.run({"doctor", "--json"}).json(), "unknown_spec_keys.so");
        const auto warnings = found.value("warnings", Json::array());
        REQUIRE(warnings.size() == 1);
        CHECK(contains(warnings[0].get<std::string>(), "unknown key 'maintainer'"));
        CHECK(contains(stage.run({"show", "unknown_spec_keys"}).out, "Unknown keys  maintainer"));
    }

    TEST_CASE("a refusal of another ABI major names both versions") {
        const Stage stage({"other_abi_major"});
        const auto found = candidate(stage.run({"doctor", "--json"}).json(), "other_abi_major.so");
        const auto message = found.value("message", "");
        CAPTURE(message);
        CHECK(contains(message, "2"));
        CHECK(contains(message, "1"));
    }

    TEST_CASE("the message names the missing library") {
        for (const auto& [fixture, part] : std::vector<std::pair<std::string, std::string>>{
                 {"unresolved_symbol", "defined_nowhere"},
                 {"dependency_missing", "libabsent_part.so"},
                 {"no_tool_invoke", "tool_invoke"},
                 {"no_tool_spec", "tool_spec"},
                 {"version_invalid", "banana"},
                 {"dependency_outside", "fixture-parts/libabsent_part.so"},
                 {"name_duplicate", "'same_name' and 'same-name'"},
                 {"consent_misspelled", "did you mean 'requiresConsent'?"},
                 {"family_consent", "/requiresConsent has no effect beside \"tools\""},
                 {"needs_misspelled", "did you mean 'network'?"},
                 {"needs_not_a_boolean", "/needs/write must be true or false"},
                 {"needs_tools_invalid", "/needs/tools/1"},
                 {"requires_path", "command:/bin/sh"},
                 {"example_invalid", "/examples/1/input/count"}}) {
            SUBCASE(fixture.c_str()) {
                const Stage stage({fixture});
                const auto found =
                    candidate(stage.run({"doctor", "--json"}).json(), fixture + ".so");
                const auto message = found.value("message", "");
                CAPTURE(message);
                CHECK(contains(message, part));
            }
        }
    }

    TEST_CASE("exit 0 if every library was accepted") {
        CHECK(Stage({"echo", "unknown_spec_keys"}).run({"doctor"}).exit_code == 0);
    }

    TEST_CASE("spec_null_told: the message contains the output of tool_spec()") {
        const Stage stage({"spec_null_told"});
        const auto found = candidate(stage.run({"doctor", "--json"}).json(), "spec_null_told.so");
        CHECK(contains(found.value("message", ""), "returned NULL: tool_spec: duplicate tool add"));
    }

    TEST_CASE("a name in two families is a warning at both, with the name to call") {
        const Stage stage({"family_a", "family_b"});
        const auto doctor = stage.run({"doctor", "--json"});
        CAPTURE(doctor);
        CHECK(doctor.exit_code == 0);
        for (const auto* file : {"family_a.so", "family_b.so"}) {
            const auto warnings = candidate(doctor.json(), file).value("warnings", Json::array());
            REQUIRE(warnings.size() == 1);
            CHECK(contains(warnings[0].get<std::string>(), "is ambiguous; call native:"));
        }
    }

    TEST_CASE("--provider checks every schema, and exits 1 where one is refused") {
        const Stage good({"echo"});
        const auto fits = good.run({"doctor", "--json", "--provider", "openai"});
        CAPTURE(fits);
        CHECK(fits.exit_code == 0);
        CHECK(fits.json()["schemas"] == Json{{"provider", "openai"}, {"findings", Json::array()}});

        const Stage stage({"referring"});  // its schema has $ref
        const auto run = stage.run({"doctor", "--json", "--provider", "gemini"});
        CAPTURE(run);
        CHECK(run.exit_code == 1);
        const auto found = run.json()["schemas"]["findings"];
        REQUIRE_FALSE(found.empty());
        CHECK(found[0].value("tool", "") == "referring");
        CHECK(found[0].value("pointer", "").starts_with("/inputSchema"));
        CHECK(contains(stage.run({"doctor", "--provider", "gemini"}).out, "Schemas for gemini"));
        CHECK(stage.run({"doctor", "--provider", "acme"}).exit_code == 2);
    }

    TEST_CASE("the shipped tools are accepted by every provider") {
        const Stage stage;
        for (const auto* provider : {"anthropic", "openai", "gemini"}) {
            CAPTURE(provider);
            const auto run = stage.run(
                {"doctor", "--json", "--provider", provider, "--only-plugins", TOOLHOST_SHIPPED},
                {.name_plugins = false});
            CAPTURE(run);
            CHECK(run.exit_code == 0);
            CHECK(file_names(run.json()["candidates"], "path") == shipped_libraries());
        }
    }

    TEST_CASE("the text form has path, reason and advice of each candidate") {
        const Stage stage({"echo", "spec_null", "no_tool_invoke"});
        const auto run = stage.run({"doctor"});
        CAPTURE(run);
        CHECK(run.exit_code == 1);
        for (const auto* part :
             {"echo.so", "spec_null.so", "spec_null", "no_tool_invoke.so", "symbol_missing"})
            CHECK(contains(run.out, part));
        CHECK(contains(unwrapped(run.out), advice_for("spec_null")));
        CHECK(contains(unwrapped(run.out), advice_for("symbol_missing")));
        CHECK_FALSE(contains(run.out, "\x1b["));  // not a terminal, so no colours
    }
}

// In separate suites, so that the waiting overlaps with other tests.
TEST_SUITE("doctor-hangs") {
    TEST_CASE("a plugin that hangs is refused at the probe's deadline") {
        for (const auto& row : kBrokenPlugins) {
            if (!row.hangs) continue;
            SUBCASE(row.fixture) {
                const Stage stage({"echo"});
                // Cached, so that the short deadline applies only to the hanging one.
                CHECK(stage.run({"list"}).exit_code == 0);
                stage.add(row.fixture);
                check_refused(stage, std::string(row.fixture) + ".so", row.reason,
                              {"--probe-timeout", "1500"});
            }
        }
    }

    TEST_CASE("leaves_a_process: a process left by the probe does not block the scan") {
        const Stage stage({"echo", "leaves_a_process"});
        const auto run = stage.run({"list", "--json"}, {.deadline = std::chrono::seconds(50)});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto names = tool_names(run.json());
        CHECK(std::count(names.begin(), names.end(), "echo") == 1);
        // A probe's command line contains the plugin's path.
        for (const auto& entry : fs::directory_iterator("/proc")) {
            const auto pid = entry.path().filename().string();
            if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
            std::ifstream file(entry.path() / "cmdline");
            const std::string command{std::istreambuf_iterator<char>(file), {}};
            if (!contains(command, stage.plugins().string())) continue;
            CAPTURE(command);
            // A killed process may still be ending; otherwise it would run for a minute.
            CHECK(ends_within(std::stoi(pid), std::chrono::seconds(20)));
        }
    }
}

TEST_SUITE("doctor-files") {
    TEST_CASE("a broken file is refused with its reason") {
        for (const auto& row : broken_files()) {
            SUBCASE(row.what) {
                const Stage stage({"echo"});
                const auto file = std::string(row.what) + ".so";
                row.make(stage.plugins() / file);
                check_refused(stage, file, row.reason);
            }
        }
    }

    TEST_CASE("a plugin's folder with a link out of it is refused") {
        const Stage stage({"echo"});
        fs::create_directory(stage.plugins() / "linked");
        fs::copy_file(fixture_library("echo"), stage.plugins() / "linked/linked.so");
        fs::create_symlink("/etc/passwd", stage.plugins() / "linked/passwd");
        check_refused(stage, "linked.so", "link_leaves_folder");
    }

    TEST_CASE("files that are not candidates are not mentioned") {
        const Stage stage({"echo"});
        write_file(stage.plugins() / "README.txt", "not a plugin");
        write_file(stage.plugins() / ".hidden.so", "not a plugin");
        fs::create_directory(stage.plugins() / "empty-folder");
        const auto doctor = stage.run({"doctor", "--json"});
        CAPTURE(doctor);
        CHECK(doctor.json().value("candidates", Json::array()).size() == 1);
    }

    TEST_CASE("every reason has a fixture") {
        // Reasons that only other tests produce: see permissions_test.cpp, replaced_test.cpp.
        std::set<std::string_view> seen{
            "unreadable",          "untrusted_owner", "writable_by_others", "link_leaves_folder",
            "changed_during_scan", "probe_failed",    "open_failed"};
        for (const auto& row : kBrokenPlugins) seen.insert(row.reason);
        for (const auto& row : broken_files()) seen.insert(row.reason);
        for (const auto& reason : discovery::reason_table()) {
            CAPTURE(reason.code);
            CHECK(seen.contains(reason.code));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
