// Quarantined libraries: shown with the reason, and released.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// The confinement of a tool without needs, as stored.
std::string plain_confinement(const Stage& stage) {
    const TempDir other;
    stage.add("crasher", other.path());
    const auto run =
        stage.run({"call", "crasher", "how=signal", "--json", "--plugins", other.path().string()},
                  {.name_plugins = false});
    CHECK(code_of(run) == "plugin_crashed");
    const auto start = sha256_of(fs::canonical(other.path() / "crasher.so").string());
    for (const auto& entry : fs::directory_iterator(stage.cache() / "quarantine"))
        if (entry.path().filename().string().starts_with(start))
            return Json::parse(read_file(entry.path())).at("confinement").get<std::string>();
    FAIL("no crash was stored");
    return "";
}

// Writes an entry as a host does after crashes.
fs::path quarantine(const Stage& stage, const std::string& tool, const std::string& identity = "") {
    const auto spec = stage.run({"show", tool, "--json"}).json();
    const auto path = fs::canonical(spec.value("library", "")).string();
    fs::create_directories(stage.cache() / "quarantine");
    const auto confinement = plain_confinement(stage);
    const auto file = stage.cache() / "quarantine" /
                      (sha256_of(path) + '-' + confinement.substr(0, 32) + ".json");
    write_file(file, Json{{"path", path},
                          {"confinement", confinement},
                          {"identity", identity.empty() ? spec.value("identity", "") : identity},
                          {"since", "2026-01-02T03:04:05Z"},
                          {"crashes", 5},
                          {"reason", "killed by SIGSEGV"}}
                         .dump());
    return file;
}

TEST_SUITE("retry") {
    TEST_CASE("a file that is refused for a while stays in quarantine") {
        const Stage stage({"echo"});
        const auto file = quarantine(stage, "echo");
        const auto library = stage.plugins() / "echo.so";
        fs::permissions(library, fs::perms::others_write, fs::perm_options::add);
        CHECK(stage.run({"doctor"}).exit_code == 1);
        fs::permissions(library, fs::perms::others_write, fs::perm_options::remove);
        CHECK(fs::exists(file));
        CHECK(code_of(stage.run({"call", "echo", "--json"})) == "plugin_quarantined");
    }

    TEST_CASE("doctor and list --all show quarantined libraries, and retry lifts the quarantine") {
        const Stage stage({"echo", "adder"});
        const auto file = quarantine(stage, "echo");
        const auto doctor = stage.run({"doctor", "--json"});
        CAPTURE(doctor);
        const auto found = candidate(doctor.json(), "echo.so");
        CHECK(found.value("status", "") == "quarantined");
        CHECK(found.value("reason", "") == "quarantined");
        CHECK(contains(found.value("message", ""), "killed by SIGSEGV"));
        CHECK(contains(found.value("advice", ""), "toolhost retry echo"));
        CHECK(found["quarantine"] == Json{{"since", "2026-01-02T03:04:05Z"},
                                          {"crashes", 5},
                                          {"reason", "killed by SIGSEGV"}});
        CHECK(candidate(doctor.json(), "adder.so").value("status", "") == "ok");
        const auto text = unwrapped(stage.run({"doctor"}).out);
        CHECK(contains(text, "quarantined: 5 crashes, not run since 2026-01-02T03:04:05Z"));
        CHECK(contains(text, "toolhost retry echo"));

        const auto list = stage.run({"list", "--json"});
        CHECK(tool_names(list.json()) == std::vector<std::string>{"adder"});
        CHECK(contains(list.err, "1 of 2 libraries are quarantined"));
        const auto all = stage.run({"list", "--all", "--json"}).json();
        REQUIRE(all["tools"].size() == 2);
        for (const auto& tool : all["tools"])
            if (tool["name"] == "echo") {
                CHECK(tool["quarantined"]["advice"] == "toolhost retry echo");
                CHECK(contains(tool["unusable"].get<std::string>(), "quarantined since 2026"));
            } else {
                CHECK_FALSE(tool.contains("quarantined"));
            }
        CHECK(contains(stage.run({"list", "--all"}).out,
                       "(quarantined since 2026-01-02T03:04:05Z (toolhost retry echo)"));

        const auto retry = stage.run({"retry", "echo"});
        CAPTURE(retry);
        CHECK(retry.exit_code == 0);
        CHECK(contains(retry.out,
                       "echo.so is no longer quarantined. It was quarantined since 2026-01-02T03:"
                       "04:05Z, after 5 crashes: killed by SIGSEGV"));
        CHECK_FALSE(fs::exists(file));
        CHECK(tool_names(stage.run({"list", "--json"}).json()).size() == 2);
        const auto again = stage.run({"retry", "echo"});
        CHECK(again.exit_code == 0);
        CHECK(contains(again.out, "is not quarantined"));
    }

    TEST_CASE("retry by path, retry all, and retry of an unknown library") {
        const Stage stage({"echo", "adder"});
        quarantine(stage, "echo");
        quarantine(stage, "adder");
        const auto one =
            stage.run({"retry", "plugins/echo.so", "--json"}, {.folder = stage.root()});
        CAPTURE(one);
        CHECK(one.exit_code == 0);
        REQUIRE(one.json()["lifted"].size() == 1);
        CHECK(one.json()["lifted"][0]["crashes"] == 5);
        CHECK(stage.run({"retry", "--all", "--json"}).json()["lifted"].size() == 1);
        CHECK(stage.run({"retry", "--all"}).out == "No library is quarantined.\n");
        const auto unknown = stage.run({"retry", "ehco"});
        CHECK(unknown.exit_code == 18);
        CHECK(contains(unknown.err, "echo"));
        CHECK(stage.run({"retry", "plugins/none.so"}, {.folder = stage.root()}).exit_code == 12);
        CHECK(stage.run({"retry"}).exit_code == 2);
        CHECK(stage.run({"retry", "echo", "--all"}).exit_code == 2);
    }

    TEST_CASE("another private library beside it gives another identity") {
        const Stage stage({"private_dependency"});
        quarantine(stage, "private_dependency");
        CHECK(code_of(stage.run({"call", "private_dependency", "--json"})) == "plugin_quarantined");
        replace_private_part(stage);
        CHECK(tool_names(stage.run({"list", "--json"}).json()) ==
              std::vector<std::string>{"private_dependency"});
        CHECK(stage.run({"call", "private_dependency"}).out == "from the another part\n");
    }

    TEST_CASE("another content of the file gives another identity") {
        const Stage stage({"echo"});
        quarantine(stage, "echo", std::string(64, '0'));
        CHECK(tool_names(stage.run({"list", "--json"}).json()) == std::vector<std::string>{"echo"});
        CHECK(stage.run({"call", "echo"}).exit_code == 0);
    }
}

}  // namespace
}  // namespace toolhost::test
