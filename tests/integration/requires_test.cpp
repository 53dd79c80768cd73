// requires: {"command:X": ">=1"} runs X: which one, in which sandbox, and how often.
#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

constexpr const char* kCommand = "toolhost-test-command";

// A workspace, a folder for programs outside of it, and a plugin that requires a program.
class Machine {
public:
    Machine() {
        for (const auto& folder : {workspace() / "bin", programs()}) fs::create_directories(folder);
        write_file(workspace() / "secret", "secret-of-the-workspace 7.7.7");
    }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    [[nodiscard]] fs::path programs() const { return stage_.root() / "programs"; }
    [[nodiscard]] fs::path mark() const { return stage_.root() / "workspace/mark"; }

    // Installs a script that creates a mark when it runs, then runs `then`.
    void install(const fs::path& folder, const std::string& then = "echo version 1.5.0") const {
        const auto file = folder / kCommand;
        write_file(file,
                   "#!/bin/sh\necho ran >" + mark().string() + " 2>/dev/null\n" + then + "\n");
        fs::permissions(file, fs::perms(0755));
    }
    // The tool's missing requirement, with `first` at the start of PATH; empty if there is none.
    [[nodiscard]] std::string missing(const std::string& tool, const std::string& first,
                                      const std::string& command = "list") const {
        const auto run =
            stage_.run({command, "--json", "--all"},
                       {.env = {{"PATH", first + ":/usr/bin:/bin"}}, .folder = workspace()});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        for (const auto& spec : run.json().value("tools", Json::array()))
            if (spec.value("name", "") == tool) return spec.value("unusable", "");
        FAIL("not listed");
        return "";
    }
    [[nodiscard]] const Stage& stage() const { return stage_; }

private:
    Stage stage_{{"requires_version"}};
};

TEST_SUITE("requires") {
    TEST_CASE("a program that an agent or another user could have put there never runs") {
        const Machine machine;
        struct Row {
            const char* what;
            std::string path;
            const char* rule;
        };
        const auto bin = machine.workspace() / "bin";
        machine.install(bin);
        machine.install(machine.workspace());
        fs::create_directory_symlink(bin, machine.stage().root() / "link-to-bin");
        fs::create_directory(machine.stage().root() / "link-to-program");
        fs::create_symlink(bin / kCommand, machine.stage().root() / "link-to-program" / kCommand);
        const auto shared = machine.stage().root() / "shared";
        fs::create_directory(shared);
        machine.install(shared);
        fs::permissions(shared, fs::perms(0777));
        const auto writable = machine.stage().root() / "writable";
        fs::create_directory(writable);
        machine.install(writable);
        fs::permissions(writable / kCommand, fs::perms(0757));
        for (const auto& row :
             {Row{"in the workspace", bin.string(), "in the workspace"},
              Row{"a link into it", (machine.stage().root() / "link-to-bin").string(), "workspace"},
              Row{"a link to it", (machine.stage().root() / "link-to-program").string(),
                  "workspace"},
              Row{"relative", "bin", "relative"}, Row{"empty", "", "relative or empty"},
              Row{"the current folder", ".", "relative"},
              Row{"a shared folder", shared.string(), "writable by others"},
              Row{"a shared file", writable.string(), "writable by others"}}) {
            CAPTURE(row.what);
            const auto missing = machine.missing("wants_one", row.path);
            CAPTURE(missing);
            CHECK(contains(missing, std::string(kCommand) + " is in PATH, but ignored"));
            CHECK(contains(missing, row.rule));
            CHECK_FALSE(fs::exists(machine.mark()));
        }
        CHECK(contains(machine.missing("wants_one", "/no/such/folder"), "is not in PATH"));
    }

    TEST_CASE("a program that belongs to another user never runs" * doctest::skip(!is_root())) {
        const Machine machine;
        machine.install(machine.programs());
        REQUIRE(::chown((machine.programs() / kCommand).c_str(), kNobody, kNobody) == 0);
        CHECK(contains(machine.missing("wants_one", machine.programs().string()),
                       "belongs to another user"));
        CHECK_FALSE(fs::exists(machine.mark()));
    }

    TEST_CASE("the next match in PATH is used if the first is ignored") {
        const Machine machine;
        machine.install(machine.workspace() / "bin");
        machine.install(machine.programs());
        CHECK(machine.missing("wants_one", (machine.workspace() / "bin").string() + ':' +
                                               machine.programs().string()) == "");
    }

    TEST_CASE("it runs in a sandbox without writing or access to the workspace") {
        const Machine machine;
        machine.install(machine.programs(), "cat " + (machine.workspace() / "secret").string() +
                                                "\necho version 1.5.0");
        CHECK(contains(machine.missing("wants_many", machine.programs().string()), "found 1.5.0"));
        CHECK_FALSE(fs::exists(machine.mark()));
    }

    TEST_CASE("it runs once, and again if it changes or for doctor") {
        const Machine machine;
        const auto path = machine.programs().string();
        machine.install(machine.programs(),
                        "echo version 1.0.$$");  // a different output on each run
        const auto first = machine.missing("wants_many", path);
        CHECK(contains(first, "found 1.0."));
        CHECK(machine.missing("wants_many", path) == first);
        const auto doctor = machine.stage().run(
            {"doctor", "--json"},
            {.env = {{"PATH", path + ":/usr/bin:/bin"}}, .folder = machine.workspace()});
        CHECK_FALSE(contains(candidate(doctor.json(), "requires_version.so").dump(), first));
        machine.install(machine.programs(), "echo version 1.1.$$");
        CHECK(contains(machine.missing("wants_many", path), "found 1.1."));
    }

    TEST_CASE("a program that hangs or prints endlessly is killed") {
        const Machine machine;
        machine.install(machine.programs(), "while :; do echo no digits; done");
        CHECK(contains(machine.missing("wants_one", machine.programs().string()),
                       "did not end within"));
    }
}

}  // namespace
}  // namespace toolhost::test
