// Hostile code in a worker: each action ends its own call with a reason, and nothing else.
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "host/os/instrumented.hpp"
#include "tests/integration/hostile_stage.hpp"

namespace toolhost::test {
namespace {

using os::kCoverageFolder;
using os::kSanitized;

struct Scenario {
    const char* how;
    std::set<std::string> codes;  // one of them; empty text: a success
    Json details = nullptr;       // what the error's details must have
    const char* text = nullptr;   // what a success must say
    ProfileValues values{};
    int times = 1;  // more than once: only the first has to end as said
};

void check_scenarios(const std::string& tool, const std::vector<Scenario>& scenarios,
                     Through through) {
    const HostileStage hostile({tool});
    for (const auto& scenario : scenarios) {
        CAPTURE(std::string(scenario.how));
        CAPTURE(through == Through::library);
        const Json request{
            {"tool", tool},
            {"input", {{"how", scenario.how}, {"path", (hostile.workspace() / "large").string()}}}};
        const std::vector<Json> requests(static_cast<std::size_t>(scenario.times), request);
        // Crashes of the previous action must not affect this one.
        fs::remove_all(hostile.stage().root() / "cache/quarantine");
        const auto result = outlived(hostile, requests, scenario.values, through).front();
        CAPTURE(result.dump(2).substr(0, 4000));
        CHECK(scenario.codes.contains(code_of(result)));
        const auto details = result.value("/error/details"_json_pointer, Json::object());
        if (scenario.details.is_object())
            for (const auto& [key, value] : scenario.details.items())
                CHECK(details.value(key, Json()) == value);
        if (scenario.text) CHECK(text_of(result) == scenario.text);
    }
}

void check_scenarios(const std::string& tool, const std::vector<Scenario>& scenarios) {
    if (!can_be_closed()) return;
    for (auto through : {Through::command_line, Through::library})
        check_scenarios(tool, scenarios, through);
}

const std::set<std::string> kCrashed{"plugin_crashed"}, kExhausted{"resource_exhausted"},
    kLate{"timeout"}, kWell{""};
const ProfileValues kShort{.timeout_ms = 500};

Json killed_by(const char* signal) {
    return {{"signal", signal}, {"output", "last words\n"}};
}
Json exited_with(int code) {
    return {{"exitCode", code}, {"output", "last words\n"}};
}

// Without a namespace the limit would count all of the user's processes, and is not set.
bool user_nobody_has_namespaces() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(::setuid(kNobody) == 0 && ::unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
    int status = 1;
    return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST_SUITE("hostile") {
    TEST_CASE("a tool that crashes or kills") {
        check_scenarios("hostile_crash", {
                                             {"segfault", kCrashed, killed_by("SIGSEGV")},
                                             {"abort", kCrashed, killed_by("SIGABRT")},
                                             {"stack_overflow", kCrashed, killed_by("SIGSEGV")},
                                             {"exit", kCrashed, exited_with(0)},
                                             {"exit_in_thread", kCrashed, exited_with(3)},
                                             {"kill_self", kCrashed, killed_by("SIGKILL")},
                                             {"kill_parent", kWell, nullptr, "EPERM"},
                                             {"kill_group", kCrashed, killed_by("SIGKILL")},
                                             {"kill_all", kWell, nullptr, "ESRCH"},
                                         });
    }

    TEST_CASE("a tool that does not return") {
        check_scenarios("hostile_hang", {
                                            {"until_cancelled", kLate, nullptr, nullptr, kShort},
                                            {"deaf", kLate, nullptr, nullptr, kShort},
                                            {"signals_blocked", kLate, nullptr, nullptr, kShort},
                                            {"signals_ignored", kLate, nullptr, nullptr, kShort},
                                            {"asleep", kLate, nullptr, nullptr, kShort},
                                            {"emitting", kLate, nullptr, nullptr, kShort},
                                            {"deaf",
                                             kExhausted,
                                             {{"resource", "cpuSeconds"}},
                                             nullptr,
                                             {.timeout_ms = 60000, .cpu_seconds = 1}},
                                        });
    }

    TEST_CASE("a tool that uses too much") {
        const std::string all = "hostile_greedy: [exec, write]";
        check_scenarios(
            "hostile_greedy",
            {
                {"descriptors", kExhausted, {{"resource", "openFiles"}}},
                {"one_process", kWell, nullptr, "EACCES"},
                {"processes", kLate, nullptr, nullptr, kShort},
                {"one_process", kWell, nullptr, "done", {.grants = all}},
                {"processes", kLate, nullptr, nullptr, {.timeout_ms = 500, .grants = all}},
                {"threads", kWell},
                {"threads_kept", kExhausted, {{"resource", "processes"}}},
                {"file", kWell, nullptr, "EACCES"},
                {"stderr", kWell, nullptr, "done"},
            });
        if (kCoverageFolder) return;
        check_scenarios(
            "hostile_greedy",
            {{"temp_file", kExhausted, {{"resource", "fileSizeMb"}}},
             {"file", kExhausted, {{"resource", "fileSizeMb"}}, nullptr, {.grants = all}}});
        if (kSanitized) return;
        check_scenarios(
            "hostile_greedy",
            {{"memory", kExhausted, {{"resource", "memoryMb"}}},
             {"mappings", kExhausted, {{"resource", "memoryMb"}}},
             // Memory for the reply, but not for a copy; then for both.
             {"reply", kExhausted, {{"resource", "memoryMb"}}, nullptr, {.memory_mb = 1300}},
             {"reply", {"output_too_large"}, nullptr, nullptr, {.memory_mb = 2600}}});
        // The worker must notice the failed `new` of a plugin's own C++ library.
        check_scenarios("hostile_new", {{"memory", kExhausted, {{"resource", "memoryMb"}}}});
    }

    TEST_CASE("another user's host: the kernel counts what its plugins start") {
        if (!can_be_closed() || !is_root() || !user_nobody_has_namespaces()) return;
        const HostileStage hostile({"hostile_greedy"});
        const std::string exec = "hostile_greedy: [exec]";
        auto greedy = [&](const char* how, int timeout_ms) {
            return outlived(hostile, {{{"tool", "hostile_greedy"}, {"input", {{"how", how}}}}},
                            {.timeout_ms = timeout_ms, .grants = exec, .user = kNobody})
                .front();
        };
        const auto threads = greedy("threads", 20000).value("/content/0/json"_json_pointer, -1);
        // 16 of its own, and those that the worker has not started yet.
        CHECK(threads >= 16);
        CHECK(threads <= 16 + 65);
        CHECK(code_of(greedy("processes", 500)) == "timeout");
    }

    TEST_CASE("a tool that corrupts its channel to the host") {
        const Json garbage{{"reason", "channel_garbage"}};
        check_scenarios("hostile_channel",
                        {
                            {"close_all", kWell, nullptr, "done", {}, 3},
                            {"unmap", kCrashed, {{"signal", "SIGSEGV"}}},
                            {"protect", kCrashed, {{"signal", "SIGSEGV"}}},
                            {"impossible_words", kCrashed, garbage},
                            {"random_words", kCrashed, garbage},
                            // Which message is read first is random.
                            {"random", {"plugin_crashed", "timeout"}, nullptr, nullptr, kShort},
                            {"random_on", {"plugin_crashed", "timeout"}, nullptr, nullptr, kShort},
                        });
    }

    TEST_CASE("a tool that replies after its call has ended, possibly during another one") {
        check_scenarios("hostile_channel",
                        {{"reply_later", {"invalid_reply"}, nullptr, nullptr, {}, 200}});
    }

    TEST_CASE("endless output of a tool is limited") {
        if (!can_be_closed()) return;
        const HostileStage hostile({"hostile_greedy"});
        const auto run =
            hostile.run({{{"tool", "hostile_greedy"}, {"input", {{"how", "stderr"}}}}}, {});
        CAPTURE(run);
        CHECK(run.err.size() < 100'000);
        CHECK(run.out.size() < 10'000);
    }

    TEST_CASE("too many crashes: quarantined, and others are not") {
        if (!can_be_closed()) return;
        const HostileStage hostile({"hostile_crash"});
        const Json request{{"tool", "hostile_crash"}, {"input", {{"how", "segfault"}}}};
        const auto results = outlived(hostile, std::vector<Json>(6, request), {});
        for (int i = 0; i < 5; ++i)
            CHECK(code_of(results[static_cast<std::size_t>(i)]) == "plugin_crashed");
        CHECK(code_of(results.back()) == "plugin_quarantined");
        // The next host has it too.
        CHECK(code_of(outlived(hostile, {request}, {}).front()) == "plugin_quarantined");
    }

    TEST_CASE("consecutive calls also lead to quarantine") {
        if (!can_be_closed()) return;
        const HostileStage hostile({"hostile_crash"});
        const Json request{{"tool", "hostile_crash"}, {"input", {{"how", "segfault"}}}};
        for (int i = 0; i < 3; ++i)
            CHECK(code_of(outlived(hostile, {request}, {.max_crashes = 3}).front()) ==
                  "plugin_crashed");
        CHECK(code_of(outlived(hostile, {request}, {.max_crashes = 3}).front()) ==
              "plugin_quarantined");
        const auto retry = hostile.stage().run({"retry", "hostile_crash"});
        CAPTURE(retry);
        CHECK(contains(retry.out, "after 3 crashes: was killed by SIGSEGV"));
        CHECK(code_of(outlived(hostile, {request}, {.max_crashes = 3}).front()) ==
              "plugin_crashed");
    }
}

}  // namespace
}  // namespace toolhost::test
