// Limits of profiles on calls, on the command line: time, size, rate, consent.
#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// Runs a call with the given profile.
Run under(const Stage& stage, const std::string& profile, std::vector<std::string> args,
          Options options = {}) {
    const auto file = stage.root() / "test.yml";
    write_file(file, "name: test\nextends: default\n" + profile);
    args.insert(args.end(), {"--profile", file.string()});
    return stage.run(std::move(args), options);
}

TEST_SUITE("governed") {
    TEST_CASE("an overdue call ends as timeout, although the tool still runs") {
        const Stage stage({"waiter"});
        const auto run = under(stage, "policies: { waiter: { timeoutMs: 50 } }\n",
                               {"call", "waiter", "ms=600000", "heeds=false", "--json"},
                               {.deadline = std::chrono::seconds(60)});
        CAPTURE(run);
        CHECK(run.exit_code == 10);
        CHECK(code_of(run) == "timeout");
        CHECK(run.json().value("/error/details/timeoutMs"_json_pointer, 0) == 50);
    }

    TEST_CASE("a cooperative tool is cancelled at its timeout, and can be called again") {
        const Stage stage({"waiter"});
        const auto requests = stage.root() / "requests.jsonl";
        std::string lines = R"({"tool":"waiter","input":{"ms":600000}})"
                            "\n";
        for (int i = 0; i < 50; ++i)
            lines += R"({"tool":"waiter","input":{"ms":1}})"
                     "\n";
        write_file(requests, lines);
        const auto run = under(stage, "policies: { waiter: { timeoutMs: 1000 } }\n",
                               {"call", "--batch", requests.string(), "--sequential"});
        CAPTURE(run);
        const auto results = lines_of(run.out);
        REQUIRE(results.size() == 51);
        CHECK(contains(results.front(), "\"timeout\""));
        CHECK(contains(results.back(), "\"success\""));
    }

    TEST_CASE("nested calls time out with their outer call, whichever is first") {
        const Stage stage({"caller", "waiter"});
        stage.grant("caller", "tools=waiter");
        for (const char* arenas : {"1", "8"}) {  // determines which of two equal deadlines is first
            const auto run = under(
                stage, "defaults: { timeoutMs: 100 }\n",
                {"call", "caller", "ref=waiter", "ms:=600000", "heeds:=false", "--json"},
                {.env = {{"MALLOC_ARENA_MAX", arenas}}, .deadline = std::chrono::seconds(60)});
            CAPTURE(run);
            // If the nested one is first, the outer tool may still report it.
            CHECK(contains(run.out, "\"timeout\""));
        }
    }

    TEST_CASE("a profile that denies consent takes precedence over the environment") {
        const Stage stage({"careful"});
        const auto run = under(stage, "consent: deny\n", {"call", "careful", "--json"},
                               {.env = {{"BYPASS_TOOL_CONSENT", "true"}}});
        CHECK(code_of(run) == "consent_denied");
    }

    TEST_CASE("a library that hangs is unavailable, others are not") {
        const Stage stage({"waiter", "echo"});
        const auto requests = stage.root() / "requests.jsonl";
        write_file(requests, R"({"tool":"waiter","input":{"ms":600000,"heeds":false}})"
                             "\n"
                             R"({"tool":"waiter","input":{"ms":1}})"
                             "\n"
                             R"({"tool":"echo","input":{"a":1}})"
                             "\n");
        // A worker that does not stop is replaced; code in the host's process cannot be.
        for (const auto& [where, second] :
             {std::pair("in_process, sandbox: off", "\"plugin_unavailable\""),
              std::pair("process", "\"success\"")}) {
            const auto run = under(stage,
                                   std::string("defaults: { isolation: ") + where +
                                       " }\nworkers: { graceMs: 50 }\n"
                                       "policies: { waiter: { timeoutMs: 300 } }\n",
                                   {"call", "--batch", requests.string(), "--sequential"});
            CAPTURE(run);
            const auto lines = lines_of(run.out);
            REQUIRE(lines.size() == 3);
            CHECK(contains(lines[0], "\"timeout\""));
            CHECK(contains(lines[1], second));
            CHECK(contains(lines[2], "\"success\""));
        }
    }

    TEST_CASE("text that is too long is cut and marked") {
        const Stage stage({"talker"});
        const auto run = under(stage, "defaults: { maxOutputChars: 10 }\n",
                               {"call", "talker", "chars=25", "as=text", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto result = run.json();
        CHECK(result["content"][0]["text"] == "éééééééééé\n[truncated: 10 of 25 characters shown]");
        CHECK(result["truncated"] == Json{{"shownChars", 10}, {"totalChars", 25}});
        const auto whole = under(stage, "defaults: { maxOutputChars: 25 }\n",
                                 {"call", "talker", "chars=25", "as=text", "--json"});
        CHECK_FALSE(whole.json().contains("truncated"));
    }

    TEST_CASE("JSON that is too long is an error, not truncated") {
        const Stage stage({"talker"});
        const auto run = under(stage, "defaults: { maxOutputChars: 10 }\n",
                               {"call", "talker", "chars=25", "as=json", "--json"});
        CAPTURE(run);
        CHECK(code_of(run) == "output_too_large");
    }

    TEST_CASE("an input that is too large does not reach the tool") {
        const Stage stage({"echo"});
        const auto run = under(stage, "defaults: { maxInputBytes: 20 }\n",
                               {"call", "echo", "text=a text that is too long", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 3);
        CHECK(code_of(run) == "input_too_large");
        CHECK(contains(run.out, "test.yml:3:"));
    }

    TEST_CASE("a rate limit refuses further calls, and reports when to retry") {
        const Stage stage({"echo"});
        const auto requests = stage.root() / "requests.jsonl";
        std::string lines;
        for (int i = 0; i < 4; ++i) lines += "{\"tool\":\"echo\"}\n";
        write_file(requests, lines);
        const auto run =
            under(stage, "policies: { echo: { rateLimit: { calls: 2, seconds: 3600 } } }\n",
                  {"call", "--batch", requests.string(), "--sequential", "--stats", "--json"});
        CAPTURE(run);
        CHECK(run.exit_code == 10);
        const auto results = lines_of(run.out);
        REQUIRE(results.size() == 4);
        CHECK(contains(results[1], "success"));
        CHECK(contains(results[2], "rate_limited"));
        CHECK(contains(results[2], "retryAfterMs"));
        CHECK(contains(results[2], "test.yml:3:"));
        const auto stats = Json::parse(run.err)["stats"]["echo@1.0.0"];
        CHECK(stats["calls"] == 4);
        CHECK(stats["ok"] == 2);
        CHECK(stats["errors"] == Json{{"rate_limited", 2}});
        CHECK(stats["denials"] == Json{{"rate_limit", 2}});
        CHECK(stats["denyRate"] == 0.5);
        CHECK(stats["latencyUs"]["p50"].get<double>() > 0);
    }

    TEST_CASE("maxConcurrent limits concurrent calls") {
        const Stage stage({"overlap_concurrent"});
        const auto requests = stage.root() / "requests.jsonl";
        std::string lines;
        for (int i = 0; i < 8; ++i) lines += "{\"tool\":\"overlap_concurrent\"}\n";
        write_file(requests, lines);
        const auto run = under(stage, "policies: { overlap_concurrent: { maxConcurrent: 2 } }\n",
                               {"call", "--batch", requests.string(), "--jobs", "8"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        for (const auto& line : lines_of(run.out))
            CHECK(Json::parse(line)["content"][0]["json"].get<int>() <= 2);
    }

    TEST_CASE("consent: no human, denied, bypassed") {
        const Stage stage({"careful"});
        const auto asked = under(stage, "", {"call", "careful", "--json"});
        CHECK(asked.exit_code == 13);
        CHECK(code_of(asked) == "consent_required");
        const auto denied = under(stage, "consent: deny\n", {"call", "careful", "--json"});
        CHECK(denied.exit_code == 13);
        CHECK(code_of(denied) == "consent_denied");
        CHECK(contains(denied.out, "test.yml:3:"));
        CHECK(under(stage, "consent: bypass\n", {"call", "careful"}).out == "done\n");
        CHECK(stage.run({"call", "careful"}, {.env = {{"BYPASS_TOOL_CONSENT", "true"}}}).out ==
              "done\n");
        CHECK(stage.run({"call", "careful"}, {.env = {{"BYPASS_TOOL_CONSENT", "yes"}}}).exit_code ==
              13);
    }

    TEST_CASE("coerceInput converts types only if the profile enables it") {
        const Stage stage({"adder"});
        const std::string input = R"({"a": "2", "b": 3})";
        const auto strict = under(stage, "", {"call", "adder", input, "--json"});
        CHECK(code_of(strict) == "invalid_input");
        const auto lenient =
            under(stage, "defaults: { coerceInput: true }\n", {"call", "adder", input});
        CAPTURE(lenient);
        CHECK(lenient.out == "5\n");
    }

    TEST_CASE("an interrupt: exit 19, a stable id, and the answer resumes") {
        const Stage stage({"asker"});
        const auto first = stage.run({"call", "asker", "--json"});
        CHECK(first.exit_code == 19);
        const auto asked = first.json().value("/error/details/interrupt"_json_pointer, Json());
        CHECK(asked.value("name", "") == "confirm");
        CHECK(asked.value("reason", Json()) == Json{{"question", "go on?"}});
        const auto id = asked.value("id", "");
        CHECK(stage.run({"call", "asker", "--json"})
                  .json()
                  .value("/error/details/interrupt/id"_json_pointer, "") == id);
        const auto text = stage.run({"call", "asker"});
        CHECK(contains(text.err, "call asker --only-plugins "));  // as typed
        CHECK(contains(text.err, " --answer " + id + "='JSON'"));
        const auto resumed = stage.run({"call", "asker", "--answer", id + "=true"});
        CAPTURE(resumed);
        CHECK(resumed.exit_code == 0);
        CHECK(resumed.out == "went on\n");
        // An answer to another question is ignored.
        CHECK(stage.run({"call", "asker", "--answer", "ask-000000000000=true"}).exit_code == 19);
        CHECK(stage.run({"call", "asker", "--answer", id}).exit_code == 3);
        CHECK(stage.run({"call", "asker", "--answer", id + "={"}).exit_code == 3);
    }

    TEST_CASE("asks_twice: both questions are reported, and answered in one command") {
        const Stage stage({"asks_twice"});
        const auto asked = stage.run({"call", "asks_twice", "--json"})
                               .json()
                               .value("/error/details/interrupts"_json_pointer, Json::array());
        REQUIRE(asked.size() == 2);
        const auto first = asked[0].value("id", ""), second = asked[1].value("id", "");
        const auto text = stage.run({"call", "asks_twice"});
        CHECK(contains(text.err, "asks_twice 1.0.0 (family "));
        CHECK(contains(text.err, ") asks (name): your name?"));
        CHECK(contains(text.err, ") asks (city): your city?"));
        CHECK(contains(text.err, " --answer " + first + "='JSON' --answer " + second + "='JSON'"));
        const auto resumed = stage.run({"call", "asks_twice", "--answer", first + "=\"Ada\"",
                                        "--answer", second + "=\"London\""});
        CHECK(resumed.out == "\"Ada\" of \"London\"\n");
    }
}

}  // namespace
}  // namespace toolhost::test
