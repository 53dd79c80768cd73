#include "host/serve/http/event_stream.hpp"

#include "tests/fake_wire.hpp"
#include "tests/raw_client.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost::serve;
using toolhost::test::FakeClient;

namespace {

// A client that has requested a stream.
struct Watcher : FakeClient {
    Watcher(boost::asio::io_context& io, const HttpLimits& limits)
        : FakeClient(io, limits, [](const ConnectionPtr& asked) {
              asked->begin_stream({200, "text/event-stream"});
          }) {
        send(toolhost::test::http_request("GET", "/mcp"));
        (void)got();
    }
    // The ids received since the last call, and "end".
    std::string ids() {
        settle();
        std::string all;
        const auto text = got();
        for (auto at = text.find("id: "); at != text.npos; at = text.find("id: ", at + 1))
            all += text.substr(at + 4, text.find('\n', at) - at - 4) + ' ';
        if (text.ends_with("0\r\n\r\n")) all += "end";
        return all;
    }
};

struct Streams {
    boost::asio::io_context io;
    HttpLimits limits;
    EventStream stream{7};
    void push(int count) {
        for (int i = 0; i < count; ++i) stream.push(R"({"n":1})");
    }
};

}  // namespace

TEST_CASE("an event is text with an id, and ids of clients are validated") {
    CHECK(event_text("1-2", "{}") == "id: 1-2\nevent: message\ndata: {}\n\n");
    CHECK(event_text("", "{}") == "event: message\ndata: {}\n\n");
    CHECK(event_text("1-0", "") == "id: 1-0\ndata: \n\n");
    CHECK(read_event_id("7-12") == std::pair<std::uint64_t, std::uint64_t>(7, 12));
    for (const char* id : {"", "7", "-", "7-", "-7", "7-1 ", " 7-1", "7-1-2", "+7-1", "7-0x1",
                           "a-b", "99999999999999999999-1", "7-99999999999999999999"})
        CHECK_FALSE(read_event_id(id).has_value());
}

TEST_CASE("a returning client gets the events after the last one it saw") {
    Streams streams;
    streams.push(2);
    Watcher first(streams.io, streams.limits);
    streams.stream.attach(first.connection(), 0, true);
    CHECK(first.ids() == "7-0 7-1 7-2 ");
    streams.push(1);
    CHECK(first.ids() == "7-3 ");
    CHECK(streams.stream.attached());
    first.leave();
    streams.stream.detach(first.connection().get());
    CHECK_FALSE(streams.stream.attached());
    streams.push(2);
    Watcher second(streams.io, streams.limits);
    streams.stream.attach(second.connection(), 2, false);
    CHECK(second.ids() == "7-3 7-4 7-5 ");
    streams.stream.end();
    CHECK(second.ids() == "end");
    CHECK(streams.stream.ended());
    // Its messages are kept after the end, and none are added.
    streams.push(1);
    Watcher third(streams.io, streams.limits);
    streams.stream.attach(third.connection(), 4, false);
    CHECK(third.ids() == "7-5 end");
    CHECK_FALSE(streams.stream.attached());
}

TEST_CASE("without Last-Event-ID a client gets the unsent events") {
    Streams streams;
    streams.push(2);
    Watcher first(streams.io, streams.limits);
    streams.stream.attach_unsent(first.connection(), false);
    CHECK(first.ids() == "7-1 7-2 ");
    streams.stream.detach(first.connection().get());
    streams.push(1);
    Watcher second(streams.io, streams.limits);
    streams.stream.attach_unsent(second.connection(), true);
    CHECK(second.ids() == "7-2 7-3 ");
}

TEST_CASE("a second connection takes the stream over") {
    Streams streams;
    Watcher first(streams.io, streams.limits), second(streams.io, streams.limits);
    streams.stream.attach(first.connection(), 0, false);
    streams.stream.attach(second.connection(), 0, false);
    CHECK(first.ids() == "end");
    streams.push(1);
    CHECK(second.ids() == "7-1 ");
    CHECK(first.ids().empty());
    // A disconnect of the first one does not affect the second.
    streams.stream.detach(first.connection().get());
    CHECK(streams.stream.attached());
}

TEST_CASE("the history for returning clients is limited") {
    Streams streams;
    streams.push(2000);
    Watcher watcher(streams.io, streams.limits);
    streams.stream.attach(watcher.connection(), 0, false);
    const auto ids = watcher.ids();
    CHECK(ids.starts_with("7-1489 "));
    CHECK(ids.ends_with("7-2000 "));
    for (int i = 0; i < 100; ++i) streams.stream.push(std::string(1 << 20, 'a'));
    CHECK(streams.stream.bytes() <= 4u << 20);
    streams.stream.push(std::string(5 << 20, 'a'));
    CHECK(streams.stream.bytes() > 5u << 20);  // the newest is kept, however large
}

TEST_CASE("a future event id replays nothing, and new events are sent") {
    Streams streams;
    streams.push(2);
    Watcher watcher(streams.io, streams.limits);
    streams.stream.attach(watcher.connection(), 1000, false);
    CHECK(watcher.ids().empty());
    streams.push(1);
    CHECK(watcher.ids() == "7-3 ");
}
