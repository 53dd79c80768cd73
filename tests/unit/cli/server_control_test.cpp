#include "host/cli/server_control.hpp"

#include <thread>

#include "tests/unit/doctest.hpp"

using toolhost::cli::ServerControl;

TEST_CASE("a reload request waits until the server runs, and is taken once") {
    ServerControl control;
    control.request_reload();
    CHECK_FALSE(control.take_reload());
    int woken = 0;
    control.on_reload([&] { ++woken; });
    CHECK(woken == 1);
    CHECK(control.take_reload());
    CHECK_FALSE(control.take_reload());
    control.request_reload();
    CHECK(woken == 2);
    CHECK(control.take_reload());
}

TEST_CASE("a reload request does not wake a server that stops") {
    ServerControl control;
    int woken = 0;
    control.on_reload([&] { ++woken; });
    control.on_reload(nullptr);
    control.request_reload();
    CHECK(woken == 0);
    CHECK_FALSE(control.take_reload());
}

TEST_CASE("a request to stop wakes the waiting thread") {
    ServerControl control;
    std::thread ending([&] { control.stop(); });
    control.wait_for_stop();
    ending.join();
    control.wait_for_stop();  // returns immediately from now on
}
