// Many posted calls at once: each ends, and none at the cost of another.
#include <random>

#include "tests/unit/runtime/posted.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::worker;
using namespace toolhost::runtime;

namespace {

// The most calls that the library of an overlap fixture has seen at once.
int most_at_once(const RecordingCallPtr& call) {
    return std::stoi(call->outcome()->content.substr(9));
}

}  // namespace

TEST_CASE("posted: of more calls than lanes a serial library runs one at a time") {
    Workers workers;
    start_worker(workers, "overlap_serial");
    const CollectorThread collector(workers.isolated->posted());
    std::vector<RecordingCallPtr> calls;
    for (int i = 0; i < 40; ++i) calls.push_back(posted(workers, "overlap_serial"));
    // Calls whose threads wait take turns with them.
    std::vector<RecordingCallPtr> invoked;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        const auto call = invoked.emplace_back(make_call("overlap_serial"));
        threads.emplace_back([&workers, call] { workers.invoke(call); });
    }
    for (auto& thread : threads) thread.join();
    calls.insert(calls.end(), invoked.begin(), invoked.end());
    for (const auto& call : calls) {
        REQUIRE(call->await_end());
        REQUIRE(call->is_well());
        CHECK(most_at_once(call) == 1);
    }
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: of more calls than lanes a concurrent library runs several at once") {
    Workers workers;
    start_worker(workers, "overlap_concurrent");
    const CollectorThread collector(workers.isolated->posted());
    std::vector<RecordingCallPtr> calls;
    for (int i = 0; i < 100; ++i) calls.push_back(posted(workers, "overlap_concurrent"));
    int most = 0, collected = 0;
    for (const auto& call : calls) {
        REQUIRE(call->await_end());
        REQUIRE(call->is_well());
        most = std::max(most, most_at_once(call));
        if (call->ended_on() == collector.id()) ++collected;
    }
    CHECK(most > 1);
    CHECK(collected > 24);  // those that waited for a lane were sent when one was free
    CHECK(most <= 24);      // some lanes are kept for calls within calls
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: a principal's first call does not wait for all that another one has posted") {
    Workers workers;
    start_worker(workers, "overlap_serial");
    const CollectorThread collector(workers.isolated->posted());
    std::vector<RecordingCallPtr> busy;
    std::atomic<int> ended{0};
    for (int i = 0; i < 60; ++i) {
        const auto call = busy.emplace_back(make_call("overlap_serial", "{}", "one"));
        call->on_end = [&] { ++ended; };
        REQUIRE(workers.post(call));
    }
    int before = 0;
    const auto other = make_call("overlap_serial", "{}", "other");
    other->on_end = [&] { before = ended; };
    REQUIRE(workers.post(other));
    REQUIRE(other->await_end());
    CHECK(other->is_well());
    CHECK(before < 45);  // behind those that were on lanes
    for (const auto& call : busy) {
        REQUIRE(call->await_end());
        CHECK(call->is_well());
    }
}

TEST_CASE("posted: calls that a hostile worker spoils end, and others are not kept waiting") {
    Workers workers;
    workers.settings().max_crashes = 100;
    start_worker(workers, "echo");
    for (const auto* how : {"impossible_words", "random_on"}) {
        start_worker(workers, "hostile_channel", R"({"how":"none"})");
        const CollectorThread collector(workers.isolated->posted());
        const auto hostile = make_call("hostile_channel", crash(how));
        hostile->until = Clock::now() + std::chrono::milliseconds(300);
        REQUIRE(workers.post(hostile));
        const auto good = posted(workers, "echo");
        CAPTURE(how);
        REQUIRE(good->await_end());
        CHECK(good->is_well());
        REQUIRE(hostile->await_end());
        // One whose words no longer mean anything is replaced, or ended with its call.
        const auto after = make_call("hostile_channel", R"({"how":"none"})");
        after->until = Clock::now() + std::chrono::milliseconds(300);
        workers.invoke(after);
    }
}

TEST_CASE("posted: calls from several threads, cancelled or not, end exactly once") {
    Workers workers;
    workers.settings().max_crashes = 1'000'000;
    workers.settings().grace_ms = 5'000;
    workers.all_concurrent = true;
    start_worker(workers, "deeds", deed("reply"));
    workers.all_concurrent = false;
    for (const auto* tool : {"echo", "logger", "overlap_serial"}) start_worker(workers, tool);
    const CollectorThread one(workers.isolated->posted()), other(workers.isolated->posted());
    const auto end = Clock::now() + std::chrono::milliseconds(1500);
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::vector<RecordingCallPtr> all;
    for (unsigned seed = 0; seed < 4; ++seed)
        threads.emplace_back([&, seed] {
            std::minstd_rand random(seed + 1);
            std::vector<RecordingCallPtr> own;
            while (Clock::now() < end) {
                const auto kind = random() % 16;
                const auto call =
                    kind < 8    ? make_call("echo", R"({"a":1})", std::to_string(seed % 2))
                    : kind < 10 ? make_call("logger")
                    : kind < 11 ? make_call("overlap_serial")
                    : kind < 15 ? make_call("deeds", deed("reply"), std::to_string(seed))
                                : make_call("deeds", deed("wait"));
                if (kind == 12) call->until = Clock::now() + std::chrono::milliseconds(2);
                const bool is_posted = workers.post(call);
                if (kind % 4 == 3) call->cancel.request_stop();
                if (!is_posted) workers.invoke(call);
                own.push_back(call);
                // As many in flight as a client has.
                if (own.size() >= 16 && !own[own.size() - 16]->await_end()) break;
            }
            const std::lock_guard lock(mutex);
            all.insert(all.end(), own.begin(), own.end());
        });
    for (auto& thread : threads) thread.join();
    std::size_t well = 0;
    for (const auto& call : all) {
        REQUIRE(call->await_end());
        if (call->is_well()) ++well;
        if (call->tool == "overlap_serial" && call->is_well()) CHECK(most_at_once(call) == 1);
    }
    workers.isolated->posted().await_gone();
    for (const auto& call : all) CHECK(call->times_ended() == 1);
    CHECK(well > all.size() / 4);
    CHECK(workers.isolated->crashes() == 0);
}
