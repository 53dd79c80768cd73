#include "host/os/child_process.hpp"

#include "tests/unit/doctest.hpp"

#include <signal.h>

#include <cerrno>
#include <cstdlib>

using namespace toolhost::os;

namespace {

ChildEnd shell(const std::string& script, int deadline_ms = 5000) {
    ChildCommand command;
    command.program = "/bin/sh";
    command.arguments = {"-c", script};
    command.environment = minimal_environment();
    command.deadline = std::chrono::milliseconds(deadline_ms);
    return run_child(command);
}

}  // namespace

TEST_CASE("a child's result, output and exit code are returned") {
    auto end = shell("echo out; echo err >&2; echo result >&3; exit 7");
    CHECK(end.how == ChildEnd::How::exited);
    CHECK(end.value == 7);
    CHECK(end.result == "result\n");
    CHECK(end.output == "out\nerr\n");
}

TEST_CASE("standard input is empty") {
    CHECK(shell("cat; echo done").output == "done\n");
}

TEST_CASE("the environment contains only the named variables") {
    ::setenv("TOOLHOST_TEST_SECRET", "x", 1);
    CHECK(shell("echo ${TOOLHOST_TEST_SECRET-none}").output == "none\n");
}

TEST_CASE("a signal is distinguished from an exit code") {
    auto end = shell("kill -SEGV $$");
    CHECK(end.how == ChildEnd::How::signalled);
    CHECK(end.value == SIGSEGV);
}

TEST_CASE("a deadline ends the whole group") {
    auto end = shell("sleep 600 & sleep 600", 100);
    CHECK(end.how == ChildEnd::How::timed_out);
    // If the grandchild had survived, it would hold the pipe, and this would not have returned.
    CHECK(end.output.empty());
}

TEST_CASE("processes that a child leaves running are killed") {
    auto end = shell("sleep 600 & echo $! >&3");
    CHECK(end.how == ChildEnd::How::exited);
    REQUIRE_FALSE(end.result.empty());
    auto left = static_cast<pid_t>(std::stol(end.result));
    // Killed, and removed once init has reaped it.
    for (int i = 0; i < 1000 && ::kill(left, 0) == 0; ++i) {
        std::string state = "/proc/" + std::to_string(left) + "/stat";
        if (shell("cut -d' ' -f3 " + state).output != "S\n") break;
    }
    CHECK((::kill(left, 0) != 0 ||
           shell("cut -d' ' -f3 /proc/" + std::to_string(left) + "/stat").output != "S\n"));
}

TEST_CASE("too much output is dropped, too much result ends the child") {
    auto loud = shell("head -c 1000000 /dev/zero; exit 3");
    CHECK(loud.value == 3);
    CHECK(loud.output.size() == 4096);
    ChildCommand command;
    command.program = "/bin/sh";
    command.arguments = {"-c", "cat /dev/zero >&3"};
    command.max_result = 1000;
    auto end = run_child(command);
    CHECK(end.result_cut);
    CHECK(end.result.size() == 1000);
}

TEST_CASE("a missing program") {
    ChildCommand command;
    command.program = "/no/such/program";
    auto end = run_child(command);
    CHECK(end.how == ChildEnd::How::not_started);
    CHECK(end.value == ENOENT);
}
