// Two libraries with the same name: the first one is used, the other is reported, always
// consistently.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// Doctor's entries for both, and the tool that is called.
void check_first_stays(const Stage& stage, const std::string& first, const std::string& second,
                       const std::string& reason, const std::vector<std::string>& args = {}) {
    auto doctor_args = args;
    doctor_args.insert(doctor_args.begin(), {"doctor", "--json"});
    const auto doctor = stage.run(doctor_args, {.name_plugins = args.empty()});
    CAPTURE(doctor);
    CHECK(doctor.exit_code == 0);
    CHECK(candidate(doctor.json(), first).value("status", "") == "ok");
    const auto shadowed = candidate(doctor.json(), second);
    CHECK(shadowed.value("status", "") == "shadowed");
    CHECK(shadowed.value("reason", "") == reason);
    // Users must be told which one is used.
    CHECK(contains(shadowed.value("message", ""), first));
}

TEST_SUITE("conflict") {
    TEST_CASE("duplicate: the first by file name is used") {
        const Stage stage({"duplicate_b", "duplicate_a"});
        check_first_stays(stage, "duplicate_a.so", "duplicate_b.so", "duplicate");
        CHECK(stage.run({"call", "duplicate"}).out == "a\n");
        const auto list = stage.run({"list", "--json"});
        CHECK(tool_names(list.json()) == std::vector<std::string>{"duplicate"});
        CHECK(contains(list.err, "duplicate_b.so"));  // always reported
    }

    TEST_CASE("duplicate: the order of folders precedes that of file names") {
        const Stage stage;
        const auto early = (stage.root() / "early").string(),
                   late = (stage.root() / "late").string();
        stage.add("duplicate_b", early);
        stage.add("duplicate_a", late);
        check_first_stays(stage, "duplicate_b.so", "duplicate_a.so", "duplicate",
                          {"--only-plugins", early, "--only-plugins", late});
        const auto run =
            stage.run({"call", "duplicate", "--only-plugins", early, "--only-plugins", late},
                      {.name_plugins = false});
        CHECK(run.out == "b\n");
    }

    TEST_CASE("hyphen_underscore_twin: the second name is shadowed") {
        const Stage stage({"twin_hyphen", "twin_underscore"});
        check_first_stays(stage, "twin_hyphen.so", "twin_underscore.so", "hyphen_underscore_twin");
        CHECK(stage.run({"call", "twin-tool"}).out == "hyphen\n");
    }

    TEST_CASE("the result does not depend on the cache or the order of creation") {
        const Stage one({"duplicate_a", "duplicate_b"}), other({"duplicate_b", "duplicate_a"});
        for (const auto* stage : {&one, &other})
            for (const auto* cache : {"--no-cache", "--json", "--json"})
                CHECK(contains(stage->run({"call", "duplicate", cache}).out, "a"));
    }

    TEST_CASE("one library twice, once as a link, is one tool") {
        const Stage stage({"adder"});
        fs::create_symlink("adder.so", stage.plugins() / "zlink.so");
        const auto list = stage.run({"list", "--json"});
        CAPTURE(list);
        CHECK(tool_names(list.json()) == std::vector<std::string>{"adder"});
    }

    TEST_CASE("one folder given twice is one folder") {
        const Stage stage({"adder"});
        const auto run =
            stage.run({"doctor", "--json", "--plugins", stage.plugins().string() + "/."});
        CAPTURE(run);
        CHECK(candidate(run.json(), "adder.so").value("status", "") == "ok");
    }

    TEST_CASE("list --all shows the shadowed tool") {
        const Stage stage({"duplicate_a", "duplicate_b"});
        const auto run = stage.run({"list", "--all"});
        CAPTURE(run);
        CHECK(contains(run.out, "shadowed"));
    }
}

}  // namespace
}  // namespace toolhost::test
