// `toolhost test`: for each check a library that fails it; the shipped ones pass all.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

struct Faulty {
    const char* fixture;
    const char* check;
    const char* verdict;
    const char* says;
};

// clang-format off
constexpr Faulty kFaulty[] = {
    {"spec_not_json",          "load",              "fail", "spec_not_json"},
    {"typed",                  "spec.descriptions", "warn", "/count has no description"},
    {"schema_not_portable",    "spec.names",        "warn", "/what it is"},
    {"unknown_spec_keys",      "spec.keys",         "warn", "unknown key"},
    {"schema_not_portable",    "spec.schemas",      "warn", "anyOf at the top"},
    {"example_invalid",        "load",              "fail", "does not match the inputSchema"},
    {"echo",                   "spec.examples",     "warn", "has no examples"},
    {"open_fails",             "worker",            "fail", "plugin_unavailable"},
    {"examples_wrong",         "examples",          "fail", "the example expects \"goodbye\""},
    {"crashes_at_bound",       "inputs.valid",      "fail", "with n = 7: plugin_crashed"},
    {"two_replies",            "inputs.invalid",    "warn", "accepts unknown fields"},
    {"two_replies",            "reply",             "fail", "more than once"},
    {"no_reply",               "reply",             "fail", "without a reply"},
    {"output_not_as_promised", "output",            "fail", "invalid_output"},
    {"ignores_cancel",         "cancel",            "fail", "still runs"},
    {"prints_while_called",    "printing",          "warn", "noise from the call"},
    {"prints_while_loading",   "printing",          "warn", "while loading"},
    {"races",                  "threads",           "fail", "gave other results"},
    {"leaks_descriptors",      "descriptors",       "fail", "descriptors open"},
    {"leaks_memory",           "memory",            "warn", "grew the worker"},
};
// clang-format on

Json check_of(const Json& report, const std::string& id) {
    for (const auto& check : report.at("plugins").at(0).at("checks"))
        if (check.value("id", "") == id) return check;
    FAIL_CHECK("no such check: " << id);
    return Json::object();
}

Run test_plugin(const Stage& stage, const std::string& plugin, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"test", plugin};
    args.insert(args.end(), more.begin(), more.end());
    return stage.run(args);
}

}  // namespace

TEST_SUITE_BEGIN("validator");

TEST_CASE("each check finds a library at fault") {
    const Stage stage;
    for (const auto& row : kFaulty) {
        CAPTURE(row.fixture);
        CAPTURE(row.check);
        const auto run = test_plugin(stage, fixture_library(row.fixture).string(),
                                     {"--json", "--only", row.check});
        CAPTURE(run);
        CHECK(run.exit_code == (std::string(row.verdict) == "fail" ? 1 : 0));
        const auto check = check_of(run.json(), row.check);
        CHECK(check.value("verdict", "") == row.verdict);
        CHECK(contains(check.value("problems", Json::array()).dump(),
                       Json(row.says).dump().substr(1, Json(row.says).dump().size() - 2)));
    }
}

TEST_CASE("the table above has a row for each check") {
    const Stage stage;
    std::set<std::string> tested;
    for (const auto& row : kFaulty) tested.insert(row.check);
    const auto listed = stage.run({"test", "--list", "--json"});
    CHECK(listed.exit_code == 0);
    const Json checks = listed.json().at("checks");
    for (const auto& check : checks)
        CHECK_MESSAGE(tested.contains(check.value("id", "")), check.dump());
    CHECK(contains(stage.run({"test", "--list"}).out, "inputs.valid"));
    const auto page = read_file(fs::path(TOOLHOST_SOURCE) / "docs/validator.md");
    for (const auto& check : checks)
        CHECK_MESSAGE(contains(page, "\n| `" + check.value("id", "") + "` |"), check.dump());
}

TEST_CASE("every shipped plugin passes") {
    const Stage stage;
    const auto run = test_plugin(stage, TOOLHOST_SHIPPED, {"--json"});
    CAPTURE(run);
    CHECK(run.exit_code == 0);
    const auto report = run.json();
    CHECK(report.value("ok", false));
    CHECK(file_names(report.at("plugins"), "plugin") == shipped_libraries());
    for (const auto& plugin : report.at("plugins")) {
        CHECK(plugin.value("failed", 1) == 0);
        CHECK(plugin.value("passed", 0) > 5);
    }
}

TEST_CASE("a tool with side effects runs only with --yes") {
    const Stage stage({"needs_all"});
    const auto asked = test_plugin(stage, "needs_all", {"--json", "--only", "inputs.valid"});
    CAPTURE(asked);
    CHECK(asked.exit_code == 0);
    const auto skipped = check_of(asked.json(), "inputs.valid");
    CHECK(skipped.value("verdict", "") == "skip");
    CHECK(skipped.value("judged", 1) == 0);
    CHECK(contains(skipped.dump(), "use --yes to run it"));
}

TEST_CASE("a library is found by name, file and folder") {
    const Stage stage({"echo"});
    for (const auto& given :
         {std::string("echo"), (stage.plugins() / "echo.so").string(), stage.plugins().string()}) {
        CAPTURE(given);
        const auto run = test_plugin(stage, given, {"--json", "--only", "load"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(check_of(run.json(), "load").value("verdict", "") == "pass");
    }
}

TEST_CASE("usage errors and missing files have their own exit codes") {
    const Stage stage;
    CHECK(stage.run({"test"}).exit_code == 2);
    const auto unknown = stage.run({"test", "echo", "--only", "cancle"});
    CHECK(unknown.exit_code == 2);
    CHECK(contains(unknown.err, "did you mean 'cancel'"));
    CHECK(stage.run({"test", "no_such_plugin"}).exit_code == 12);
    CHECK(stage.run({"test", "/no/such/plugin.so"}).exit_code == 12);
}

TEST_CASE("the output is a table or JUnit") {
    const Stage stage({"two_replies"});
    const auto file = stage.root() / "report.xml";
    const auto run =
        test_plugin(stage, "two_replies", {"--only", "reply", "--junit", file.string()});
    CAPTURE(run);
    CHECK(run.exit_code == 1);
    CHECK(contains(run.out, "FAIL  reply"));
    CHECK(contains(run.out, "1 passed, 1 failed"));
    const auto xml = read_file(file);
    CHECK(contains(xml, "<testcase classname="));
    CHECK(contains(xml, "failures=\"1\""));
    CHECK(contains(xml, "<failure message=\"two_replies: minimal: invalid_reply"));
}

TEST_CASE("a JUnit report replaces a file, and does not follow links") {
    const Stage stage({"echo"});
    const auto file = stage.root() / "report.xml";
    write_file(file, std::string(100'000, 'x'));
    CHECK(test_plugin(stage, "echo", {"--only", "load", "--junit", file.string()}).exit_code == 0);
    CHECK(read_file(file).ends_with("</testsuites>\n"));
    write_file(stage.root() / "victim", "text\n");
    fs::create_symlink(stage.root() / "victim", stage.root() / "link");
    const auto run =
        test_plugin(stage, "echo", {"--only", "load", "--junit", (stage.root() / "link").string()});
    CAPTURE(run);
    CHECK(run.exit_code == 12);
    CHECK(contains(run.err, "cannot write"));
    CHECK(read_file(stage.root() / "victim") == "text\n");
}

TEST_CASE("a test leaves no files") {
    const Stage stage({"crasher"});
    const auto run = test_plugin(stage, "crasher", {"--json"});
    CAPTURE(run);
    CHECK(run.exit_code == 1);
    // Its crashes are not counted for the library, and its workspace is removed.
    CHECK_FALSE(fs::exists(stage.cache() / "quarantine"));
    for (const auto& entry : fs::recursive_directory_iterator(stage.root()))
        CHECK_FALSE(contains(entry.path().filename().string(), "toolhost-test-"));
}

TEST_SUITE_END();

}  // namespace toolhost::test
