// Events: their form, one before and one after per call, and no lost lines.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

std::vector<Json> events_in(const fs::path& file) {
    std::vector<Json> events;
    for (const auto& line : lines_of(read_file(file))) events.push_back(Json::parse(line));
    return events;
}

std::vector<std::string> names_of(const std::vector<Json>& events) {
    std::vector<std::string> names;
    for (const auto& event : events) names.push_back(event.value("event", ""));
    return names;
}

TEST_SUITE("events") {
    TEST_CASE("a successful call") {
        const Stage stage({"echo"});
        const auto file = stage.root() / "events.jsonl";
        const auto run = stage.run({"call", "echo", "a=1", "--events", file.string(), "--json"});
        CAPTURE(run);
        const auto events = events_in(file);
        REQUIRE(names_of(events) == std::vector<std::string>{"hook.tool.before",
                                                             "hook.policy.before",
                                                             "hook.tool.after"});
        for (const auto& event : events) {
            CHECK(event["toolUseId"] == run.json()["toolUseId"]);
            CHECK(event["tool"] == "echo");
            CHECK(event["version"] == "1.0.0");
            CHECK(event["profile"] == "default");
            CHECK(event["time"].get<std::string>().size() == 27);
            CHECK_FALSE(event.contains("parentUseId"));
        }
        CHECK(events[0]["input"] == Json{{"a", 1}});
        CHECK(events[2]["status"] == "ok");
        CHECK_FALSE(events[2].contains("code"));
        CHECK(events[2]["durationUs"].get<int>() > 0);
        CHECK(events[2]["outputBytes"].get<int>() > 0);
    }

    TEST_CASE("an event log is a file of this user, not a link") {
        const Stage stage({"echo"});
        write_file(stage.root() / "victim", "text\n");
        const auto link = stage.root() / "link";
        fs::create_symlink(stage.root() / "victim", link);
        const auto pipe = stage.root() / "pipe";
        REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
        // A FIFO with a reader can be opened.
        const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        for (const auto& planted : {link, pipe}) {
            CAPTURE(planted);
            const auto run = stage.run({"call", "echo", "--events", planted.string()},
                                       {.deadline = std::chrono::seconds(60)});
            CAPTURE(run);
            CHECK_FALSE(run.timed_out);
            CHECK(run.exit_code == 12);
            CHECK(contains(run.err, "cannot open the events file"));
        }
        ::close(reader);
        const auto waiting = stage.run({"call", "echo", "--events", pipe.string()},
                                       {.deadline = std::chrono::seconds(60)});
        CHECK_FALSE(waiting.timed_out);
        CHECK(waiting.exit_code == 12);
        CHECK(read_file(stage.root() / "victim") == "text\n");
        // The operator's own descriptors are links too.
        const auto run = stage.run({"call", "echo", "--events", "/dev/stderr"});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.err, "hook.tool.after"));
        if (!is_root()) return;
        write_file(stage.root() / "theirs", "");
        REQUIRE(::chown((stage.root() / "theirs").c_str(), kNobody, kNobody) == 0);
        const auto theirs =
            stage.run({"call", "echo", "--events", (stage.root() / "theirs").string()});
        CHECK(theirs.exit_code == 12);
    }

    TEST_CASE("events that cannot be written fail the command") {
        const Stage stage({"echo"});
        const auto run = stage.run({"call", "echo", "--events", "/dev/full"});
        CAPTURE(run);
        CHECK(run.exit_code == 12);
        CHECK(contains(run.err, "cannot write events"));
        CHECK(!run.out.empty());
    }

    TEST_CASE("a denial, a failure, an unknown tool") {
        const Stage stage({"careful", "failer", "denier"});
        const auto file = stage.root() / "events.jsonl";
        for (const char* tool : {"careful", "failer", "denier", "no_such_tool"})
            (void)stage.run({"call", tool, "--events", file.string()});
        const auto events = events_in(file);
        CHECK(names_of(events) ==
              std::vector<std::string>{"hook.tool.before", "hook.policy.before", "hook.policy.deny",
                                       "hook.tool.after", "hook.tool.before", "hook.policy.before",
                                       "hook.tool.after", "hook.tool.before", "hook.policy.before",
                                       "hook.policy.deny", "hook.tool.after", "hook.tool.before",
                                       "hook.tool.after"});
        CHECK(events[2]["reason"] == "consent_required");
        CHECK(events[3]["code"] == "consent_required");
        CHECK(events[6]["code"] == "tool_failed");
        CHECK(events[9]["reason"] == "path_not_allowed");
        CHECK(events[11]["tool"] == "no_such_tool");
        CHECK(events[11]["version"] == "");
        CHECK(events[12]["status"] == "error");
        CHECK(events[12]["code"] == "unknown_tool");
    }

    TEST_CASE("nested calls name their outer call") {
        const Stage stage({"caller", "echo"});
        stage.grant("caller", "tools=echo");
        const auto file = stage.root() / "events.jsonl";
        const auto run =
            stage.run({"call", "caller", "ref=echo", "--events", file.string(), "--json"});
        std::map<std::string, int> before, after;
        for (const auto& event : events_in(file)) {
            if (event["tool"] == "echo") CHECK(event["parentUseId"] == run.json()["toolUseId"]);
            if (event["event"] == "hook.tool.before") ++before[event.value("toolUseId", "")];
            if (event["event"] == "hook.tool.after") ++after[event.value("toolUseId", "")];
        }
        CHECK(before.size() == 2);
        CHECK(before == after);
    }

    TEST_CASE("redacted fields are not in events, at any depth") {
        const Stage stage({"echo"});
        const auto file = stage.root() / "events.jsonl";
        const auto profile = stage.root() / "p.yml";
        write_file(profile, "name: p\nextends: default\nredact: [\"/exact/place\", note]\n");
        const auto run = stage.run(
            {"call", "echo",
             R"({"auth_token":"t1","in":[{"Password":"t2","Note":"t3"}],"exact":{"place":"t4"},"x":"seen"})",
             "--events", file.string(), "--profile", profile.string()});
        CAPTURE(run);
        CHECK(run.exit_code == 0);
        const auto text = read_file(file);
        for (const char* secret : {"t1", "t2", "t3", "t4"}) CHECK_FALSE(contains(text, secret));
        CHECK(contains(text, "seen"));
        CHECK(contains(run.out, "t1"));  // the tool itself received it
    }

    TEST_CASE("a plugin that ends the host loses no line") {
        for (const char* how : {"signal", "exit"}) {
            CAPTURE(how);
            const Stage stage({"crasher"});
            const auto file = stage.root() / "events.jsonl";
            const auto profile = stage.root() / "p.yml";
            write_file(profile,
                       "extends: default\n"
                       "defaults: { isolation: in_process, sandbox: off }\n");
            const auto run = stage.run({"call", "crasher", std::string("how=") + how, "--events",
                                        file.string(), "--profile", profile.string()});
            CHECK(run.exit_code != 0);
            if (how == std::string("exit"))
                CHECK(contains(run.err, "ended the process with exit()"));
            CHECK(names_of(events_in(file)) ==
                  std::vector<std::string>{"hook.tool.before", "hook.policy.before"});
        }
    }

    TEST_CASE("a plugin that ends its worker ends its call, and the events name the isolation") {
        const Stage stage({"crasher"});
        const auto file = stage.root() / "events.jsonl";
        (void)stage.run({"call", "crasher", "how=signal", "--events", file.string()});
        const auto events = events_in(file);
        REQUIRE(names_of(events) == std::vector<std::string>{"hook.tool.before",
                                                             "hook.policy.before",
                                                             "hook.tool.after"});
        CHECK(events[2]["code"] == "plugin_crashed");
        CHECK(events[2]["isolation"] == "process");
        CHECK(events[2]["sandbox"] == "full");
    }

    TEST_CASE("- is stdout, before the result; info logs them") {
        const Stage stage({"adder"});
        const auto run =
            stage.run({"call", "adder", "a=1", "b=2", "--events", "-", "--log-level", "info"});
        CAPTURE(run);
        const auto lines = lines_of(run.out);
        REQUIRE(lines.size() == 4);
        CHECK(lines[3] == "3");
        CHECK(contains(run.err, "adder 1.0.0 called, profile default"));
        CHECK(contains(run.err, "adder 1.0.0 succeeded after"));
    }

    TEST_CASE("many calls at once: one before and one after each, and complete lines") {
        const Stage stage({"echo", "failer"});
        const auto file = stage.root() / "events.jsonl";
        std::string requests;
        for (int i = 0; i < 500; ++i)
            requests +=
                i % 3 ? "{\"tool\":\"echo\",\"input\":{\"i\":1}}\n" : "{\"tool\":\"failer\"}\n";
        const auto run =
            stage.run({"call", "--batch", "-", "--jobs", "8", "--events", file.string()},
                      {.input = requests});
        CHECK(lines_of(run.out).size() == 500);
        std::map<std::string, int> before, after;
        for (const auto& event : events_in(file)) {
            if (event["event"] == "hook.tool.before") ++before[event.value("toolUseId", "")];
            if (event["event"] == "hook.tool.after") ++after[event.value("toolUseId", "")];
        }
        CHECK(before.size() == 500);
        CHECK(before == after);
        for (const auto& [id, count] : before) CHECK(count == 1);
    }

    TEST_CASE("a file that cannot be written is reported at once") {
        const Stage stage({"echo"});
        const auto run = stage.run({"call", "echo", "--events", "/no/such/folder/e.jsonl"});
        CAPTURE(run);
        CHECK(run.exit_code == 12);
        CHECK(contains(run.err, "/no/such/folder/e.jsonl"));
    }
}

}  // namespace
}  // namespace toolhost::test
