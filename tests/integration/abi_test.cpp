// How calls end through the ABI, and their results for the caller.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

struct Ending {
    const char* fixture;  // and the tool's name
    int exit_code;
    const char* code;
};
// clang-format off
constexpr Ending kEndings[] = {
    {"failer",                 10, "tool_failed"},
    {"fails_in_silence",       10, "tool_failed"},
    {"fails_not_utf8",         10, "tool_failed"},
    {"bad_input",               3, "invalid_input"},
    {"denier",                 13, "policy_denied"},
    {"asker",                  19, "interrupted"},
    {"no_reply",               10, "invalid_reply"},
    {"two_replies",            10, "invalid_reply"},
    {"reply_not_json",         10, "invalid_reply"},
    {"reply_not_utf8",         10, "invalid_reply"},
    {"reply_not_an_array",     10, "invalid_reply"},
    {"reply_not_content",      10, "invalid_reply"},
    {"reply_null",             10, "invalid_reply"},
    {"bad_status",             10, "invalid_reply"},
    {"output_not_as_promised", 10, "invalid_output"},
    {"open_fails",             18, "plugin_unavailable"},
};
// clang-format on

Json result_of(const Stage& stage, const std::vector<std::string>& args, int exit_code) {
    const auto run = stage.run(args);
    CAPTURE(run);
    CHECK(run.exit_code == exit_code);
    return run.json();
}

TEST_SUITE("abi") {
    TEST_CASE("open_fails_told: the error contains the output of tool_open()") {
        const Stage stage({"open_fails_told"});
        const auto run = stage.run({"call", "open_fails_told", "--json"});
        CAPTURE(run);
        CHECK(code_of(run) == "plugin_unavailable");
        CHECK(contains(run.json().value("/error/message"_json_pointer, ""),
                       "tool_open() returned 1, so the library cannot be used; output: the "
                       "licence has expired"));
    }

    TEST_CASE("each failure of a tool has its code") {
        for (const auto& row : kEndings) {
            SUBCASE(row.fixture) {
                const Stage stage({row.fixture});
                const auto result =
                    result_of(stage, {"call", row.fixture, "--json"}, row.exit_code);
                CAPTURE(result.dump(2));
                CHECK(result.value("status", "") == "error");
                CHECK(result.value("/error/code"_json_pointer, "") == row.code);
                CHECK_FALSE(result.value("/error/message"_json_pointer, "").empty());

                const auto text = stage.run({"call", row.fixture});
                CAPTURE(text);
                CHECK(text.exit_code == row.exit_code);
                CHECK(text.out.empty());
                CHECK(contains(text.err, row.code));
            }
        }
    }

    TEST_CASE("failer: its own code and message reach the caller") {
        const Stage stage({"failer"});
        const auto error =
            result_of(stage, {"call", "failer", "--json"}, 10).value("error", Json::object());
        CHECK(contains(error.value("message", ""), "no space is left for the result"));
        CHECK(contains(error.value("details", Json()).dump(), "disk_full"));
    }

    TEST_CASE("denier: the reason is in the details") {
        const Stage stage({"denier"});
        const auto error =
            result_of(stage, {"call", "denier", "--json"}, 13).value("error", Json::object());
        CHECK(error.value("/details/reason"_json_pointer, "") == "path_not_allowed");
        CHECK(contains(error.value("message", ""), "outside the workspace"));
    }

    TEST_CASE("asker: the result carries the pending questions") {
        const Stage stage({"asker"});
        const auto error =
            result_of(stage, {"call", "asker", "--json"}, 19).value("error", Json::object());
        const auto details = error.value("details", Json()).dump();
        CAPTURE(details);
        CHECK(contains(details, "confirm"));
        CHECK(contains(details, "go on?"));
    }

    TEST_CASE("streamer: the stream is neither in the result nor on stdout") {
        const Stage stage({"streamer"});
        const auto run = stage.run({"call", "streamer"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.out == "streamed\n");
    }

    TEST_CASE("emits_not_json: a bad event does not end the call") {
        const Stage stage({"emits_not_json"});
        const auto run = stage.run({"call", "emits_not_json"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(run.out == "survived\n");
    }

    TEST_CASE(
        "streamer, emits_not_json: --stream prints one JSON value per line, the result last") {
        const Stage stage({"streamer", "emits_not_json"});
        for (const auto* tool : {"streamer", "emits_not_json"}) {
            const auto run = stage.run({"call", tool, "--stream"});
            CAPTURE(run);
            CHECK(run.exit_code == 0);
            const auto lines = lines_of(run.out);
            for (const auto& line : lines) CHECK(Json::accept(line));
            REQUIRE_FALSE(lines.empty());
            const auto last = Json::parse(lines.back(), nullptr, false);
            CHECK((last.is_object() && last.value("status", "") == "success"));
        }
    }

    TEST_CASE("logger: its lines go to stderr, by level") {
        const Stage stage({"logger"});
        const auto loud = stage.run({"call", "logger", "--log-level", "debug"});
        CAPTURE(loud);
        CHECK(loud.out == "logged\n");
        for (const auto* line : {"logged at debug", "logged at info", "logged at warn",
                                 "logged at error", "logged at level 4", "logged bytes"})
            CHECK(contains(loud.err, line));
        const auto quiet = stage.run({"call", "logger", "--log-level", "error"});
        CAPTURE(quiet);
        CHECK(contains(quiet.err, "logged at error"));
        CHECK_FALSE(contains(quiet.err, "logged at info"));
    }

    TEST_CASE("caller: a nested call's result or error is returned to the tool") {
        const Stage stage({"caller", "echo", "failer"});
        stage.grant("caller", "tools");
        const auto nested = [&](const char* ref) {
            const auto result =
                result_of(stage, {"call", "caller", std::string("ref=") + ref, "--json"}, 0);
            return result.value("/content/0/json"_json_pointer, Json::object());
        };
        const auto good = nested("echo");
        CHECK(good.value("status", "") == "success");
        CHECK(good.value("/content/0/json/ref"_json_pointer, "") == "echo");
        CHECK(nested("failer").value("/error/code"_json_pointer, "") == "tool_failed");
        CHECK(nested("unknown").value("/error/code"_json_pointer, "") == "unknown_tool");
        CHECK(nested("native:basics.echo@^1").value("status", "") == "success");
    }

    TEST_CASE("caller: calling itself is refused as a cycle") {
        const Stage stage({"caller"});
        stage.grant("caller", "tools");
        const auto run = stage.run({"call", "caller", "ref=caller", "--json"});
        CHECK(contains(run.out, "call_depth_exceeded"));
        CHECK(contains(run.out, "\"cycle\""));
    }

    TEST_CASE("serial_caller: calling itself does not wait for ever") {
        const Stage stage({"serial_caller"});
        stage.grant("serial_caller", "tools");
        const auto run = stage.run({"call", "serial_caller", "ref=serial_caller", "--json"},
                                   {.deadline = std::chrono::seconds(60)});
        CHECK_FALSE(run.json().empty());
    }

    TEST_CASE("inspector: the plugin gets a complete request") {
        const Stage stage({"inspector"});
        const auto result = result_of(stage, {"call", "inspector", "a:=1", "--json"}, 0);
        const auto seen = result.value("/content/0/json"_json_pointer, Json::object());
        CAPTURE(seen.dump(2));
        CHECK(seen.value("tool", "") == "inspector");
        CHECK(seen.value("useId", "?") == result.value("toolUseId", ""));
        CHECK(seen.value("input", Json()) == Json{{"a", 1}});
        CHECK(seen.value("policy", Json()).is_object());
        CHECK(seen.value("state", Json()).is_object());
        CHECK(seen.value("attempt", -1) == 0);
        CHECK(seen.value("budgetMs", -2) >= -1);
        CHECK(seen.value("cancelled", -1) == 0);
        CHECK(seen.value("noExtension", false));
        CHECK(seen.value("abiMajor", 0) == 1);
        CHECK(seen.value("abiMinor", 0) == 1);
        CHECK(seen.value("version", "") == "1.0.0");
        CHECK(seen.value("caller", "?").empty());  // a single user
        CHECK(seen.value("structsLargeEnough", false));
    }

    TEST_CASE("opens_once: tool_open runs before the first call") {
        const Stage stage({"opens_once"});
        CHECK(stage.run({"call", "opens_once"}).out == "once\n");
    }

    TEST_CASE("prints_while_called, prints_while_loading: plugins do not print to stdout") {
        const Stage stage({"prints_while_called", "prints_while_loading"});
        CHECK(stage.run({"call", "prints_while_called"}).out == "printed\n");
        CHECK(stage.run({"call", "prints_while_loading"}).out == "ran\n");
    }

    TEST_CASE("prints_through_cout: plugins in the host's process do not print to stdout either") {
        const Stage stage({"prints_through_cout"});
        write_file(
            stage.root() / "own.yml",
            "name: own\nextends: default\ndefaults: {isolation: in_process, sandbox: off}\n");
        const auto run = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"call", "--profile", (stage.root() / "own.yml").string()});
            return stage.run(words);
        };
        const auto called = run({"prints_through_cout"});
        CHECK(called.out == "printed\n");
        CHECK(contains(called.err, "noise from the call"));
        const auto result = Json::parse(run({"prints_through_cout", "--json"}).out, nullptr, false);
        CHECK(result.value("status", "") == "success");
        const std::string line = "{\"tool\":\"prints_through_cout\",\"input\":{}}\n";
        write_file(stage.root() / "batch.jsonl", line + line);
        const auto batch = run({"--batch", (stage.root() / "batch.jsonl").string()}).out;
        CHECK_FALSE(contains(batch, "noise"));
        CHECK(std::ranges::count(batch, '\n') == 2);
    }
}

}  // namespace
}  // namespace toolhost::test
