// However the host ends, none of its processes and temporary folders remain.
#include <doctest/doctest.h>
#include <signal.h>

#include "tests/integration/child.hpp"
#include "tests/integration/hostile_stage.hpp"
#include "tests/integration/live_run.hpp"

namespace toolhost::test {
namespace {

// The host is the ancestor of all others; the lowest process id is not enough, because ids wrap.
pid_t host_among(const std::vector<pid_t>& processes) {
    for (const auto pid : processes)
        if (!contains(read_file("/proc/" + std::to_string(pid) + "/cmdline"), "__worker"))
            return pid;
    return -1;
}

void check_end(const std::string& how, const std::string& grants, int signal) {
    CAPTURE(how);
    CAPTURE(signal);
    const HostileStage hostile({"hostile_hang", "hostile_greedy"});
    const std::string tool = how == "processes" ? "hostile_greedy" : "hostile_hang";
    const auto profile = hostile.write_profile({.timeout_ms = 60000, .grants = grants}).string();
    LiveRun live(hostile.stage(),
                 {"call", tool, "how=" + how, "--json", "--stream", "--profile", profile});
    if (tool == "hostile_hang") REQUIRE(live.await("started"));
    // The host, its reaper, the first process of the namespace, the worker, and the worker's
    // children.
    const std::size_t wanted = tool == "hostile_hang" ? 3 : 6;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    auto processes = hostile.processes();
    while (processes.size() < wanted && std::chrono::steady_clock::now() < end)
        processes = hostile.processes();
    REQUIRE(processes.size() >= wanted);
    CHECK(hostile.temporary().size() == 1);
    const auto host = host_among(processes);
    REQUIRE(host > 0);
    REQUIRE(::kill(host, signal) == 0);
    CHECK(live.exit_code() != 0);
    // Hundreds of processes take time to end on a busy machine.
    CHECK(hostile.is_clean_within(std::chrono::seconds(tool == "hostile_hang" ? 5 : 30)));
}

TEST_SUITE("orphans") {
    TEST_CASE("a host that is killed during a call leaves no processes") {
        if (!can_be_closed()) return;
        for (const int signal : {SIGKILL, SIGTERM, SIGSEGV}) check_end("deaf", "", signal);
        check_end("signals_blocked", "", SIGKILL);
        check_end("processes", "hostile_greedy: [exec]", SIGKILL);
    }
}

}  // namespace
}  // namespace toolhost::test
