// All forms of references to tools, and versions in references.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("references") {
    TEST_CASE("every form names the tool") {
        const Stage stage({"echo"});
        for (const auto* form :
             {"echo", "native:echo", "native:basics.echo", "native:echo@1.0.0", "native:echo@^1",
              "native:basics.echo@1.0.0", "echo@1.0.0", "strands_tools.echo",
              "strands_tools.echo.echo", "strands_tools.basics.echo"}) {
            const auto run = stage.run({"call", form});
            CAPTURE(std::string(form));
            CAPTURE(run);
            CHECK(run.exit_code == 0);
        }
    }

    TEST_CASE("an unknown or invalid reference exits with 18") {
        const Stage stage({"echo"});
        for (const auto* form :
             {"native:other.echo", "strands_tools.other.echo", "native:", "native:echo@", "echo@x",
              "a.b.c.d", "../echo", "echo/..", "native:native:echo", ""}) {
            const auto run = stage.run({"call", form, "--json"});
            CAPTURE(std::string(form));
            CAPTURE(run);
            CHECK((run.exit_code == 18 || run.exit_code == 2));
            CHECK_FALSE(contains(run.out, "success"));
        }
    }

    struct Choice {
        const char* ref;
        const char* version;  // the one that is called
    };
    // clang-format off
    const Choice kChoices[] = {
        {"versioned",                        "1.2.0"},  // 2.0.0 is deprecated
        {"native:versioned",                 "1.2.0"},
        {"native:history.versioned",         "1.2.0"},
        {"strands_tools.versioned",          "1.2.0"},
        {"native:versioned@1.0.0",           "1.0.0"},
        {"native:versioned@^1",              "1.2.0"},
        {"native:versioned@~1.0",            "1.0.0"},
        {"native:versioned@<1.2",            "1.0.0"},
        {"native:versioned@>=1.0 <1.2",      "1.0.0"},
        {"native:versioned@*",               "1.2.0"},
        {"native:versioned@>=1.0",           "1.2.0"},
    };
    // clang-format on

    TEST_CASE("versions: the highest usable one that matches") {
        const Stage stage({"versioned_1_0_0", "versioned_1_2_0", "versioned_2_0_0_deprecated"});
        for (const auto& row : kChoices) {
            const auto run = stage.run({"call", row.ref});
            CAPTURE(std::string(row.ref));
            CAPTURE(run);
            CHECK(run.out == std::string(row.version) + "\n");
        }
    }

    TEST_CASE("a deprecated or missing version is exit 18") {
        const Stage stage({"versioned_1_0_0", "versioned_1_2_0", "versioned_2_0_0_deprecated"});
        for (const auto& [ref, code] : std::vector<std::pair<std::string, std::string>>{
                 {"versioned@2.0.0", "tool_deprecated"},
                 {"versioned@^2", "tool_deprecated"},
                 {"versioned@^3", "version_not_found"},
                 {"versioned@1.1.0", "version_not_found"}}) {
            const auto run = stage.run({"call", ref, "--json"});
            const auto& shown_ref = ref;
            CAPTURE(shown_ref);
            CAPTURE(run);
            CHECK(run.exit_code == 18);
            CHECK(run.json().value("/error/code"_json_pointer, "") == code);
        }
    }
}

}  // namespace
}  // namespace toolhost::test
