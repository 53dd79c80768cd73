// How host and worker tell each other of calls and answers, and what a posted call makes of it.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "host/worker/conversation.hpp"
#include "host/worker/worker_messages.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::worker;
using Found = Conversation::Found;

namespace {

struct NoHost : loading::CallHost {
    void emit(std::string_view, std::string_view) override {}
    bool cancelled() const override { return false; }
    void log(int, std::string_view) override {}
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        return {TOOL_FAILED, ""};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view, std::string_view) override {
        return {TOOL_FAILED, ""};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view, std::string_view) override {
        return {TOOL_FAILED, ""};
    }
    os::Deadline deadline() const override { return std::nullopt; }
};

// The host's view of a worker, and the worker's end of its memory, which the test plays.
struct PlayedWorker {
    Channel made = *Channel::create();
    Channel other = *Channel::attach(os::Descriptor(::dup(made.descriptor())));
    ChannelWords& words = other.words();
    Worker worker{std::move(made), 0, os::Descriptor(), os::Descriptor(), os::Descriptor()};
    LaneEnd end{LaneEnd::Side::worker, words.lanes[0], other.rings(0)};
    std::optional<Worker::Hold> lane = worker.try_take_lane("", 0);
    NoHost host;
    loading::Stop stop;
    WorkerConfig config;
    registry::Library library;
    Conversation talk{worker, *lane, host, stop, config, library};

    void answer(MessageKind kind, const std::string& payload) {
        REQUIRE(end.send(kind, payload) == LaneEnd::Sending::sent);
        words.answers.announce(0);
    }
};

}  // namespace

TEST_CASE("signals: each call that was announced is taken once, and each lane has its turn") {
    const auto channel = *Channel::create();
    auto& calls = channel.words().calls;
    os::AdaptiveSpin spin;
    for (const std::uint32_t lane : {0u, 1u, 5u, kLanes - 1}) calls.announce(lane);
    CHECK(calls.await(spin) == 0u);
    CHECK(calls.await(spin) == 1u);
    calls.announce(0);
    CHECK(calls.await(spin) == 5u);
    CHECK(calls.await(spin) == kLanes - 1);
    CHECK(calls.await(spin) == 0u);
    CHECK_FALSE(calls.any());
    calls.close();
    CHECK(calls.await(spin) == std::nullopt);
}

TEST_CASE("signals: a call is either withdrawn or begun") {
    const auto channel = *Channel::create();
    auto& calls = channel.words().calls;
    os::AdaptiveSpin spin;
    CHECK_FALSE(calls.withdraw(3));
    calls.announce(3);
    CHECK(calls.withdraw(3));
    CHECK_FALSE(calls.any());
    calls.announce(3);
    CHECK(calls.await(spin) == 3u);
    CHECK_FALSE(calls.withdraw(3));
    // At the same time.
    constexpr int kRounds = 20'000;
    std::atomic<int> begun{0};
    std::thread worker([&] {
        os::AdaptiveSpin own;
        while (calls.await(own)) ++begun;
    });
    int withdrawn = 0;
    for (int i = 0; i < kRounds; ++i) {
        calls.announce(3);
        calls.wake();
        if (calls.withdraw(3)) {
            ++withdrawn;
            continue;
        }
        while (begun + withdrawn <= i) std::this_thread::yield();
    }
    calls.close();
    worker.join();
    CHECK(begun + withdrawn == kRounds);
}

TEST_CASE("signals: a thread that waits is woken for a call, and when there are no more") {
    const auto channel = *Channel::create();
    auto& calls = channel.words().calls;
    auto wait = [&] {
        os::AdaptiveSpin spin;
        return calls.await(spin);
    };
    auto first = std::async(std::launch::async, wait);
    calls.announce(7);
    calls.wake();
    CHECK(first.get() == 7u);
    auto one = std::async(std::launch::async, wait), other = std::async(std::launch::async, wait);
    calls.close();
    CHECK(one.get() == std::nullopt);
    CHECK(other.get() == std::nullopt);
}

TEST_CASE("signals: the bell rings once, and only for a host that sleeps") {
    const auto channel = *Channel::create();
    auto& answers = channel.words().answers;
    const os::Descriptor bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const auto rung = [&] {
        std::uint64_t times = 0;
        return ::read(bell.get(), &times, sizeof times) == sizeof times ? times : 0;
    };
    answers.announce(2);
    answers.wake(bell.get());
    CHECK(rung() == 0);
    CHECK(answers.lanes() == 1u << 2);
    answers.expect_wake();
    answers.wake(bell.get());
    answers.wake(bell.get());
    CHECK(rung() == 1);
    answers.take(2);
    CHECK(answers.lanes() == 0);
    // A plugin has closed it.
    answers.expect_wake();
    answers.wake(-1);
}

TEST_CASE("signals: a posted call's outcome is found, and what needs a thread is told apart") {
    PlayedWorker played;
    std::optional<Message> message;
    REQUIRE(played.talk.post("request"));
    CHECK(played.talk.look(message) == Found::nothing);
    CHECK_FALSE(message);
    SUBCASE("an outcome") {
        loading::Outcome outcome;
        outcome.content = "[]";
        played.answer(MessageKind::outcome, pack_outcome(outcome));
        REQUIRE(played.talk.look(message) == Found::outcome);
        const auto finished = played.talk.finish(*std::move(message));
        REQUIRE(finished);
        CHECK(finished->content == "[]");
    }
    SUBCASE("a request of the tool") {
        played.answer(MessageKind::log, pack_numbered(0, "x"));
        CHECK(played.talk.look(message) == Found::other);
        CHECK(message->kind == MessageKind::log);
    }
    SUBCASE("much") {
        played.answer(MessageKind::outcome, std::string(kRingBytes / 2, 'x'));
        CHECK(played.talk.look(message) == Found::other);
        CHECK_FALSE(message);
    }
    SUBCASE("an outcome that is none") {
        played.answer(MessageKind::outcome, "x");
        REQUIRE(played.talk.look(message) == Found::outcome);
        CHECK_FALSE(played.talk.finish(*std::move(message)));
    }
    SUBCASE("impossible positions") {
        played.words.lanes[0].to_host.written = kRingBytes + 1;
        CHECK(played.talk.look(message) == Found::other);
    }
    SUBCASE("announcements without end of what does not come") {
        auto found = Found::nothing;
        for (int i = 0; i < 100 && found == Found::nothing; ++i) found = played.talk.look(message);
        CHECK(found == Found::other);
    }
}

TEST_CASE("signals: a call that was withdrawn is never read, and its lane carries the next one") {
    PlayedWorker played;
    REQUIRE(played.talk.post("withdrawn"));
    played.worker.announce(0);
    CHECK(played.talk.withdraw());
    CHECK_FALSE(played.talk.withdraw());
    CHECK_FALSE(played.words.calls.any());
    REQUIRE(played.talk.post("next"));
    played.worker.announce(0);
    os::AdaptiveSpin spin;
    CHECK(played.words.calls.await(spin) == 0u);
    CHECK_FALSE(played.talk.withdraw());
    Message message;
    REQUIRE(played.end.try_receive(message) == LaneEnd::Receipt::message);
    CHECK(message.kind == MessageKind::post);
    CHECK(message.payload == "next");
}
