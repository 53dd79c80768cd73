// Calls in workers that no thread waits for: how they end.
#include "tests/unit/runtime/posted.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::worker;
using namespace toolhost::runtime;

namespace {

const std::string kDone = R"([{"text":"done"}])";

void start_deeds(Workers& workers) {
    start_worker(workers, "deeds", deed("reply"));
}

// One that runs, and is waited for by a thread: it has said that it has begun.
RecordingCallPtr running(Workers& workers, const std::string& how = "wait") {
    auto call = posted(workers, "deeds", deed(how));
    return call;
}

}  // namespace

TEST_CASE("posted: no call is taken without a collector or a worker") {
    Workers workers;
    CHECK_FALSE(workers.post(make_call("echo")));
    start_worker(workers, "echo");
    CHECK_FALSE(workers.post(make_call("echo")));
    const Collecting collecting(workers.isolated->posted());
    CHECK_FALSE(workers.post(make_call("rows")));
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: a collector ends a call on its own thread, woken by the bells") {
    Workers workers;
    start_worker(workers, "echo");
    Collecting collecting(workers.isolated->posted());
    for (int i = 0; i < 20; ++i) {
        const auto call = posted(workers, "echo", R"({"a":1})");
        CHECK(call->times_ended() == 0);
        REQUIRE(collecting.collect(call));
        REQUIRE(call->is_well());
        CHECK(call->outcome()->content == R"([{"json":{"a":1}},{"text":"{\"a\":1}"}])");
        CHECK(call->ended_on() == std::this_thread::get_id());
    }
    CHECK_FALSE(workers.isolated->posted().collect());
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: the bells ring for each thread that sleeps") {
    Workers workers;
    workers.all_concurrent = true;
    start_deeds(workers);
    auto& calls = workers.isolated->posted();
    const Collecting collecting(calls);
    const PostedCalls::Sleep one(calls), other(calls);
    const auto slow = posted(workers, "deeds", deed("pause", 300));
    const auto quick = posted(workers, "deeds", deed("reply"));
    while (quick->times_ended() == 0) {
        REQUIRE(collecting.await_bells());
        calls.read_bells();
        static_cast<void>(calls.collect());
    }
    // The other thread goes on sleeping.
    REQUIRE(collecting.await_bells());
    CHECK(calls.collect());
    REQUIRE(slow->times_ended() == 1);
    CHECK(slow->ended_on() == std::this_thread::get_id());
}

TEST_CASE("posted: a thread may wait for something else only while there is no posted call") {
    Workers workers;
    start_deeds(workers);
    auto& calls = workers.isolated->posted();
    {
        Collecting collecting(calls);
        const auto waiting = running(workers);
        CHECK_FALSE(calls.pause());
        waiting->cancel.request_stop();
        CHECK(waiting->await_end());
        calls.await_gone();
        REQUIRE(calls.pause());
        CHECK_FALSE(workers.post(make_call("deeds", deed("reply"))));
        calls.resume();
        CHECK(collecting.collect(posted(workers, "deeds", deed("reply"))));
    }
}

TEST_CASE("posted: a tool that logs, emits or asks gets a thread, and its answer") {
    Workers workers;
    for (const auto* tool : {"logger", "streamer", "asker"}) {
        start_worker(workers, tool);
        const CollectorThread collector(workers.isolated->posted());
        const auto call = posted(workers, tool);
        REQUIRE(call->await_end());
        CAPTURE(tool);
        REQUIRE(call->is_well());
        CHECK(call->ended_on() != collector.id());
        CHECK(call->ended_on() != std::this_thread::get_id());
        if (tool == std::string("asker"))
            CHECK(call->outcome()->content == R"([{"text":"went on"}])");
        if (tool == std::string("logger"))
            CHECK(call->logged().find("logged at error") != std::string::npos);
    }
}

TEST_CASE("posted: a call that has not begun is withdrawn when it is cancelled or abandoned") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto first = running(workers);
    REQUIRE(first->await_begun());
    const auto cancelled = posted(workers, "deeds", deed("reply"));
    const auto abandoned = posted(workers, "deeds", deed("reply"));
    const auto last = posted(workers, "deeds", deed("reply"));
    cancelled->cancel.request_stop();
    abandoned->abandon.request_stop();
    REQUIRE(cancelled->await_end());
    CHECK(cancelled->error() == ErrorCode::cancelled);
    REQUIRE(abandoned->await_end());
    CHECK(abandoned->error() == ErrorCode::cancelled);
    CHECK(first->times_ended() == 0);
    CHECK(last->times_ended() == 0);
    // At once, and not when they have lasted for so long that they get a thread.
    const auto begin = Clock::now();
    for (int i = 0; i < 8; ++i) {
        const auto another = posted(workers, "deeds", deed("reply"));
        another->cancel.request_stop();
        REQUIRE(another->await_end());
    }
    CHECK(Clock::now() - begin < std::chrono::seconds(5));
    first->cancel.request_stop();
    REQUIRE(first->await_end());
    CHECK(first->outcome()->status == TOOL_CANCELLED);
    REQUIRE(last->await_end());
    CHECK(last->is_well());
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: a call that is cancelled before it is posted does not run on") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto call = make_call("deeds", deed("wait"));
    call->cancel.request_stop();
    if (!workers.post(call)) workers.invoke(call);
    CHECK(call->await_end());
    CHECK_FALSE(call->is_well());
    workers.isolated->posted().await_gone();
    CHECK(call->times_ended() == 1);
}

TEST_CASE("posted: a call that runs is told of its cancellation, and ended if it does not heed") {
    Workers workers;
    workers.all_concurrent = true;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto heeds = running(workers);
    REQUIRE(heeds->await_begun());
    heeds->cancel.request_stop();
    REQUIRE(heeds->await_end());
    CHECK(heeds->outcome()->status == TOOL_CANCELLED);
    CHECK(workers.isolated->starts() == 1);
    // Nothing tells that a call runs which says nothing: one that did not is withdrawn.
    bool was_ended = false;
    for (int attempt = 0; attempt < 100 && !was_ended; ++attempt) {
        const auto stubborn = posted(workers, "deeds", deed("pause", 60'000));
        const auto other = running(workers);
        REQUIRE(other->await_begun());
        stubborn->cancel.request_stop();
        REQUIRE(stubborn->await_end());
        CHECK(stubborn->error() == ErrorCode::cancelled);
        was_ended =
            stubborn->outcome().error().message.find("worker was ended") != std::string::npos;
        if (!was_ended) other->cancel.request_stop();
        REQUIRE(other->await_end());
        CHECK(other->outcome().has_value() != was_ended);
    }
    CHECK(was_ended);
}

TEST_CASE("posted: the timeout of a call that has not begun does not end its worker") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto slow = running(workers);
    REQUIRE(slow->await_begun());
    const auto late = make_call("deeds", deed("reply"));
    late->until = Clock::now() + std::chrono::milliseconds(100);
    REQUIRE(workers.post(late));
    REQUIRE(late->await_end());
    CHECK(late->error() == ErrorCode::timeout);
    CHECK(slow->times_ended() == 0);
    slow->cancel.request_stop();
    REQUIRE(slow->await_end());
    CHECK(slow->outcome()->status == TOOL_CANCELLED);
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: no call enters a serial library in which another one is waited for") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto inside = make_call("deeds", deed("wait"));
    std::thread waiting([&] { workers.invoke(inside); });
    REQUIRE(inside->await_begun());
    const auto late = make_call("deeds", deed("reply"));
    late->until = Clock::now() + std::chrono::milliseconds(200);
    REQUIRE(workers.post(late));
    const auto next = posted(workers, "deeds", deed("reply"));
    REQUIRE(late->await_end());
    CHECK(late->error() == ErrorCode::timeout);
    CHECK(next->times_ended() == 0);
    inside->cancel.request_stop();
    waiting.join();
    REQUIRE(next->await_end());
    CHECK(next->is_well());
}

TEST_CASE("posted: a crash costs the call that crashed, and not those behind it") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto crashing = running(workers, "wait_then_crash");
    REQUIRE(crashing->await_begun());
    std::vector<RecordingCallPtr> behind;
    for (int i = 0; i < 5; ++i) behind.push_back(posted(workers, "deeds", deed("reply")));
    crashing->cancel.request_stop();
    REQUIRE(crashing->await_end());
    CHECK(crashing->error() == ErrorCode::plugin_crashed);
    for (const auto& call : behind) {
        REQUIRE(call->await_end());
        CHECK(call->is_well());
    }
    CHECK(workers.isolated->crashes() == 1);
    CHECK(workers.isolated->starts() == 2);
}

TEST_CASE("posted: a large result arrives") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto call = posted(workers, "deeds", deed("large"));
    REQUIRE(call->await_end());
    REQUIRE(call->is_well());
    CHECK(call->outcome()->content.size() > std::size_t{5} << 20);
}

TEST_CASE("posted: large input arrives, and what is too large for a message is not sent") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto padded = [](std::size_t size) {
        return R"({"how":"reply","x":")" + std::string(size, 'x') + "\"}";
    };
    const auto large = posted(workers, "deeds", padded(std::size_t{3} << 20));
    REQUIRE(large->await_end());
    CHECK(large->is_well());
    const auto too_large = make_call("deeds", padded(kMaxMessageBytes));
    CHECK_FALSE(workers.post(too_large));
    workers.invoke(too_large);
    CHECK(too_large->error() == ErrorCode::input_too_large);
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: a large call that is withdrawn leaves no trace in its lane") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto first = running(workers);
    REQUIRE(first->await_begun());
    const auto large =
        posted(workers, "deeds",
               R"({"how":"wait","x":")" + std::string(std::size_t{3} << 20, 'x') + "\"}");
    large->cancel.request_stop();
    REQUIRE(large->await_end());
    CHECK(large->error() == ErrorCode::cancelled);
    const auto next = posted(workers, "deeds", deed("reply"));
    first->cancel.request_stop();
    REQUIRE(next->await_end());
    CHECK(next->is_well());
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: a worker that cannot ring its bell still delivers") {
    Workers workers;
    start_deeds(workers);
    const CollectorThread collector(workers.isolated->posted());
    const auto begin = Clock::now();
    const auto closes = posted(workers, "deeds", deed("close_bell"));
    REQUIRE(closes->await_end());
    CHECK(closes->is_well());
    const auto next = posted(workers, "deeds", deed("reply"));
    REQUIRE(next->await_end());
    CHECK(next->is_well());
    CHECK(Clock::now() - begin < std::chrono::seconds(10));  // 1 s each, on a busy machine
}

TEST_CASE("posted: calls end when the last collector has closed") {
    Workers workers;
    start_deeds(workers);
    std::optional<CollectorThread> collector(std::in_place, workers.isolated->posted());
    std::vector<RecordingCallPtr> calls{running(workers)};
    REQUIRE(calls.front()->await_begun());
    for (int i = 0; i < 40; ++i)  // more than there are lanes
        calls.push_back(posted(workers, "deeds", deed("reply")));
    collector->stop();
    CHECK_FALSE(workers.post(make_call("deeds", deed("reply"))));
    calls.front()->cancel.request_stop();
    for (const auto& call : calls) REQUIRE(call->await_end());
    collector.reset();
    for (const auto& call : calls) CHECK(call->times_ended() == 1);
    CHECK(workers.isolated->starts() == 1);
}

TEST_CASE("posted: calls end when the host does") {
    Workers workers;
    workers.all_concurrent = true;
    start_deeds(workers);
    workers.all_concurrent = false;
    start_worker(workers, "overlap_serial");
    std::vector<RecordingCallPtr> calls;
    workers.isolated->posted().open();
    workers.isolated->posted().expect_more(true);
    for (int i = 0; i < 40; ++i) calls.push_back(posted(workers, "overlap_serial"));
    for (int i = 0; i < 40; ++i)
        calls.push_back(posted(workers, "deeds", deed(i % 2 == 0 ? "pause" : "wait", 60'000)));
    workers.isolated.reset();
    for (const auto& call : calls) CHECK(call->times_ended() == 1);
}
