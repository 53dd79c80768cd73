// The shared-memory channel between host and worker, both ends in one process.
#include <cstring>
#include <thread>

#include "host/os/duty.hpp"
#include "host/worker/channel.hpp"
#include "host/worker/worker_messages.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::worker;
using Receipt = LaneEnd::Receipt;
using Sending = LaneEnd::Sending;

namespace {

struct Ends {
    Channel channel = *Channel::create();
    LaneWords& words = channel.words().lanes[0];
    LaneEnd host{LaneEnd::Side::host, words, channel.rings(0)};
    LaneEnd worker{LaneEnd::Side::worker, words, channel.rings(0)};
};

Deadline soon() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(20);
}

Deadline now() {
    return std::chrono::steady_clock::now();
}

}  // namespace

TEST_CASE("messages of any size arrive complete and in order") {
    Ends ends;
    const std::size_t sizes[] = {
        0, 1, 7, kRingBytes - 8, kRingBytes - 7, kRingBytes, 300000, 5u << 20, 64, 0};
    std::thread writer([&] {
        for (auto size : sizes) {
            const std::string payload(size, static_cast<char>('a' + size % 26));
            auto sending = ends.host.send(MessageKind::invoke, payload);
            while (sending == Sending::unfinished) sending = ends.host.resume_sending(soon());
            REQUIRE(sending == Sending::sent);
        }
    });
    for (auto size : sizes) {
        Message message;
        Receipt receipt = Receipt::nothing;
        while (receipt == Receipt::nothing) receipt = ends.worker.receive(message, soon());
        REQUIRE(receipt == Receipt::message);
        CHECK(message.kind == MessageKind::invoke);
        CHECK(message.payload == std::string(size, static_cast<char>('a' + size % 26)));
    }
    writer.join();
}

TEST_CASE("a thread hands over its duty when it waits long for bytes, and not for a short wait") {
    struct Listening : Duty {
        explicit Listening(Ends& both) : ends(both) {}
        void hand_over() override { told(); }
        void watch() override { told(); }  // used instead with one core
        void told() {
            ++times;
            CHECK(ends.worker.send(MessageKind::outcome, "late") == Sending::sent);
        }
        Ends& ends;
        int times = 0;
    };
    Ends ends;
    Listening duty(ends);
    Message message;
    REQUIRE(ends.worker.send(MessageKind::outcome, "early") == Sending::sent);
    REQUIRE(ends.host.receive(message, soon()) == Receipt::message);
    CHECK(message.payload == "early");
    CHECK(duty.times == 0);
    // Nothing arrives until another thread has the duty.
    REQUIRE(ends.host.receive(message, soon()) == Receipt::message);
    CHECK(message.payload == "late");
    CHECK(duty.times == 1);
}

TEST_CASE("both directions at once, thousands of times") {
    Ends ends;
    constexpr int kRounds = 5000;
    std::thread worker([&] {
        for (int i = 0; i < kRounds; ++i) {
            Message message;
            while (ends.worker.receive(message, soon()) != Receipt::message) {
            }
            REQUIRE(ends.worker.send(MessageKind::outcome, message.payload) == Sending::sent);
        }
    });
    for (int i = 0; i < kRounds; ++i) {
        REQUIRE(ends.host.send(MessageKind::invoke, std::to_string(i)) == Sending::sent);
        Message message;
        while (ends.host.receive(message, soon()) != Receipt::message) {
        }
        REQUIRE(message.payload == std::to_string(i));
    }
    worker.join();
}

TEST_CASE("small messages stay in a small part of the memory, however many they are") {
    Ends ends;
    const std::string payload(1000, 'x');
    for (int i = 0; i < 5000; ++i) {
        REQUIRE(ends.host.send(MessageKind::invoke, payload) == Sending::sent);
        Message message;
        REQUIRE(ends.worker.receive(message, soon()) == Receipt::message);
        REQUIRE(message.payload == payload);
    }
    const std::string_view ring(ends.channel.rings(0), kRingBytes);
    CHECK(ring.find_last_not_of('\0') < kRingBytes / 8);
}

TEST_CASE("a wait ends at its deadline, and when the bell rings") {
    Ends ends;
    Message message;
    CHECK(ends.host.receive(message, now()) == Receipt::nothing);
    std::thread other([&] { ends.host.ring(); });
    CHECK(ends.host.receive(message, soon()) == Receipt::nothing);
    other.join();
    // The same for a writer that waits for room, because there is no reader.
    const std::string large(kRingBytes * 2, 'x');
    CHECK(ends.host.send(MessageKind::invoke, large) == Sending::unfinished);
    std::thread ringer([&] { ends.host.ring(); });
    CHECK(ends.host.resume_sending(soon()) == Sending::unfinished);
    ringer.join();
}

TEST_CASE("invalid positions are detected, and not used for reading") {
    Ends ends;
    Message message;
    SUBCASE("more written than fits") {
        ends.words.to_host.written = kRingBytes + 1;
        CHECK(ends.host.receive(message, now()) == Receipt::broken);
    }
    SUBCASE("more taken than was written") {
        ends.words.to_worker.taken = 1;
        CHECK(ends.host.send(MessageKind::invoke, "x") == Sending::broken);
    }
    SUBCASE("a length above the limit") {
        const std::uint32_t header[2] = {0, kMaxMessageBytes + 1};
        std::memcpy(ends.channel.rings(0) + kRingBytes, header, sizeof header);
        ends.words.to_host.written = sizeof header;
        CHECK(ends.host.receive(message, now()) == Receipt::broken);
    }
    SUBCASE("an invalid kind") {
        const std::uint32_t header[2] = {99, 0};
        std::memcpy(ends.channel.rings(0) + kRingBytes, header, sizeof header);
        ends.words.to_host.written = sizeof header;
        CHECK(ends.host.receive(message, now()) == Receipt::broken);
    }
    SUBCASE("a declared length without data takes no memory") {
        const std::uint32_t header[2] = {0, kMaxMessageBytes};
        std::memcpy(ends.channel.rings(0) + kRingBytes, header, sizeof header);
        ends.words.to_host.written = sizeof header;
        CHECK(ends.host.receive(message, now()) == Receipt::nothing);
        CHECK(message.payload.capacity() < 1000);
    }
}

TEST_CASE("a message that was withdrawn is not read, whatever its size, and the next one is") {
    for (const std::size_t size : {0u, 100u, kRingBytes - 8, kRingBytes, 2 * kRingBytes}) {
        Ends ends;
        CAPTURE(size);
        const std::string withdrawn(size, 'w'), next("next"), large(3 * kRingBytes, 'n');
        for (int i = 0; i < 3; ++i) {
            static_cast<void>(ends.host.send(MessageKind::post, withdrawn));
            ends.host.withdraw();
            if (i == 1) {  // a second one behind it
                static_cast<void>(ends.host.send(MessageKind::post, withdrawn));
                ends.host.withdraw();
            }
            const auto& payload = i == 2 ? large : next;
            std::thread writer([&] {
                auto sending = ends.host.send(MessageKind::invoke, payload);
                while (sending == Sending::unfinished) sending = ends.host.resume_sending(soon());
                REQUIRE(sending == Sending::sent);
            });
            Message message;
            const auto end = soon();
            auto receipt = Receipt::nothing;
            while (receipt == Receipt::nothing && now() < end)
                receipt = ends.worker.receive(message, end);
            writer.join();
            REQUIRE(receipt == Receipt::message);
            CHECK(message.kind == MessageKind::invoke);
            CHECK(message.payload == payload);
        }
    }
}

TEST_CASE("a look at a message takes no more than it was allowed") {
    Ends ends;
    const std::string payload(kRingBytes / 2, 'x');
    REQUIRE(ends.worker.send(MessageKind::outcome, payload) == Sending::sent);
    Message message;
    CHECK(ends.host.try_receive(message, 1000) == Receipt::nothing);
    CHECK(ends.host.available() > 0);
    while (ends.host.available() > 0) {
        const auto before = ends.host.available();
        if (ends.host.try_receive(message, 1000) == Receipt::message) break;
        REQUIRE(ends.host.available() < before);
    }
    CHECK(message.payload == payload);
}

TEST_CASE("an outcome comes back as it was") {
    Outcome outcome;
    outcome.status = TOOL_FAILED;
    outcome.replies = 2;
    outcome.content = std::string("[\0]", 3);
    outcome.failure = {"code", "message"};
    outcome.exhausted = {"memoryMb"};
    const auto packed = pack_outcome(outcome);
    const auto read = unpack_outcome(packed);
    CHECK(read.status == outcome.status);
    CHECK(read.replies == 2);
    CHECK(read.content == outcome.content);
    REQUIRE(read.failure);
    CHECK(read.failure->key == "code");
    CHECK(read.failure->message == "message");
    CHECK_FALSE(read.denial);
    CHECK(read.exhausted == outcome.exhausted);
    for (std::size_t size = 0; size < packed.size(); ++size)
        CHECK_THROWS((void)unpack_outcome(std::string_view(packed).substr(0, size)));
    CHECK_THROWS((void)unpack_outcome(packed + "x"));
}
