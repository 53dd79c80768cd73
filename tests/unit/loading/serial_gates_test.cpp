#include "host/loading/serial_gates.hpp"

#include <thread>

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace std::chrono_literals;

TEST_CASE("one chain at a time, and a chain may enter again") {
    SerialGates gates;
    SerialGate gate;
    REQUIRE(gates.enter(gate, 1, std::nullopt, {}));
    REQUIRE(gates.enter(gate, 1, std::nullopt, {}));
    auto late = gates.enter(gate, 2, std::chrono::steady_clock::now() + 5ms, {});
    REQUIRE_FALSE(late);
    CHECK(late.error().code == ErrorCode::timeout);
    std::stop_source cancel;
    cancel.request_stop();
    auto cancelled = gates.enter(gate, 2, std::nullopt, cancel.get_token());
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::cancelled);
    gates.leave(gate);
    CHECK_FALSE(gates.enter(gate, 2, std::chrono::steady_clock::now(), {}));
    std::jthread waiting([&] {
        CHECK(gates.enter(gate, 2, std::nullopt, {}));
        gates.leave(gate);
    });
    gates.leave(gate);
}

TEST_CASE("if two chains would wait for each other, one of them fails") {
    SerialGates gates;
    SerialGate a, b;
    REQUIRE(gates.enter(a, 1, std::nullopt, {}));
    REQUIRE(gates.enter(b, 2, std::nullopt, {}));
    std::atomic<int> refused{0}, entered{0};
    auto cross = [&](SerialGate& own, SerialGate& other, Chain chain) {
        auto turn = gates.enter(other, chain, std::nullopt, {});
        if (turn) {
            ++entered;
            gates.leave(other);
        } else {
            CHECK(turn.error().code == ErrorCode::plugin_unavailable);
            ++refused;
        }
        gates.leave(own);
    };
    std::jthread first([&] { cross(a, b, 1); });
    cross(b, a, 2);
    first.join();
    CHECK(refused == 1);
    CHECK(entered == 1);
}
