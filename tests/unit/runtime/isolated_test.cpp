// How workers start, end, crash and are stopped.
#include <sys/wait.h>

#include <cerrno>
#include <future>

#include "tests/unit/runtime/workers.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::worker;
using namespace toolhost::runtime;

TEST_CASE("isolated: a crash affects one call, and the next one has a new worker") {
    Workers workers;
    auto crashed = workers.call("hostile_crash", crash("segfault"));
    REQUIRE_FALSE(crashed);
    CHECK(crashed.error().code == ErrorCode::plugin_crashed);
    CHECK(crashed.error().details.value("signal", "") == "SIGSEGV");
    CHECK(crashed.error().details.value("output", "") == "last words\n");
    auto left = workers.call("hostile_crash", crash("exit"));
    CHECK(left.error().details.value("exitCode", -1) == 0);
    auto well = workers.call("echo", R"({"a":1})");
    REQUIRE(well);
    CHECK(well->content == R"([{"json":{"a":1}},{"text":"{\"a\":1}"}])");
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("isolated: too many crashes are stored as a quarantine, until it is lifted") {
    Workers workers;
    workers.settings().max_crashes = 2;
    const auto path = workers.library("hostile_crash").path;
    for (int i = 0; i < 2; ++i)
        CHECK(workers.call("hostile_crash", crash("abort")).error().code ==
              ErrorCode::plugin_crashed);
    auto held = workers.call("hostile_crash", crash("abort"));
    REQUIRE_FALSE(held);
    CHECK(held.error().code == ErrorCode::plugin_quarantined);
    CHECK(held.error().details.value("crashes", 0) == 2);
    const auto stored = workers.quarantine().all();
    REQUIRE(stored.size() == 1);
    CHECK(stored.front().reason.find("SIGABRT") != std::string::npos);
    // Another host has it too.
    workers.start();
    CHECK(workers.call("hostile_crash", crash("abort")).error().code ==
          ErrorCode::plugin_quarantined);
    REQUIRE(workers.quarantine().lift(path));
    CHECK(workers.call("hostile_crash", crash("abort")).error().code == ErrorCode::plugin_crashed);
}

TEST_CASE("isolated: a worker is kept warm, and ended when idle") {
    Workers workers;
    workers.settings().idle_seconds = 1;
    for (int i = 0; i < 3; ++i) CHECK(workers.call("echo"));
    CHECK(workers.isolated->workers() == 1);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));
    CHECK(workers.call("echo"));
}

TEST_CASE("isolated: a concurrent library has many calls in one worker") {
    Workers workers;
    int most = 0;  // the library stores it; a busy machine needs several attempts
    for (int attempt = 0; attempt < 50 && most < 8; ++attempt) {
        std::vector<std::future<Result<Outcome>>> calls;
        for (int i = 0; i < 8; ++i)
            calls.push_back(
                std::async(std::launch::async, [&] { return workers.call("overlap_concurrent"); }));
        for (auto& call : calls) {
            auto outcome = call.get();
            CAPTURE((outcome ? "" : outcome.error().message + outcome.error().details.dump()));
            REQUIRE(outcome);
            most = std::max(most, outcome->content[9] - '0');
        }
    }
    CHECK(most == 8);
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("isolated: a wait for a worker that another call starts counts towards the own timeout") {
    Workers workers;
    std::stop_source given_up;
    std::atomic<bool> first_ended{false};
    auto first = std::async(std::launch::async, [&] {
        auto outcome = workers.call("constructor_sleeps", "{}", {}, {given_up.get_token(), {}});
        first_ended = true;
        return outcome;
    });
    CHECK(become([&] { return workers.isolated->workers() == 1; }, std::chrono::seconds(20)));
    auto host = std::make_shared<AnsweringHost>();
    host->until = Clock::now() + std::chrono::milliseconds(50);
    CHECK(workers.call("constructor_sleeps", "{}", host).error().code == ErrorCode::timeout);
    CHECK_FALSE(first_ended);
    std::stop_source cancelled;
    cancelled.request_stop();
    CHECK(workers.call("constructor_sleeps", "{}", {}, {cancelled.get_token(), {}}).error().code ==
          ErrorCode::cancelled);
    CHECK_FALSE(first_ended);
    given_up.request_stop();
    CHECK(first.get().error().code == ErrorCode::cancelled);
}

TEST_CASE("isolated: a cooperative tool is cancelled, another one is ended") {
    Workers workers;
    auto started = [](const std::shared_ptr<AnsweringHost>& host) {
        return become([&] { return host->emitted > 0; }, std::chrono::seconds(20));
    };
    auto waiting = std::make_shared<AnsweringHost>();
    std::stop_source cancel;
    auto call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000})", waiting, {cancel.get_token(), {}});
    });
    CHECK(started(waiting));
    cancel.request_stop();
    CHECK(call.get()->status == TOOL_CANCELLED);
    CHECK(workers.isolated->workers() == 1);

    // An uncooperative tool has the grace period only.
    auto stubborn = std::make_shared<AnsweringHost>();
    std::stop_source cancel_it;
    call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000,"heeds":false})", stubborn,
                            {cancel_it.get_token(), {}});
    });
    CHECK(started(stubborn));
    cancel_it.request_stop();
    CHECK(call.get().error().code == ErrorCode::cancelled);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));

    auto deaf = std::make_shared<AnsweringHost>();
    std::stop_source abandon;
    call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000,"heeds":false})", deaf,
                            {{}, abandon.get_token()});
    });
    CHECK(started(deaf));
    abandon.request_stop();
    CHECK(call.get().error().code == ErrorCode::cancelled);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));

    auto late = std::make_shared<AnsweringHost>();
    late->until = Clock::now() + std::chrono::milliseconds(300);
    auto overdue = workers.call("hostile_hang", crash("signals_blocked"), late);
    CHECK(overdue.error().code == ErrorCode::timeout);
    CHECK(workers.call("waiter", R"({"ms":1})"));
}

TEST_CASE("isolated: a destroyed host leaves no processes") {
    {
        Workers workers;
        CHECK(workers.call("echo"));
        CHECK_FALSE(workers.call("hostile_crash", crash("kill_self")));
    }
    errno = 0;
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}
