#include "tests/fake_wire.hpp"
#include "tests/raw_client.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost::serve;
using namespace std::chrono_literals;
using toolhost::test::FakeClient;
using toolhost::test::http_request;

namespace {

// Echoes the request.
void echo(const ConnectionPtr& connection) {
    const auto& request = connection->request();
    connection->respond(
        {200, "text/plain", request.method + ' ' + request.path + ' ' + request.body});
}

struct Wires {
    boost::asio::io_context io;
    HttpLimits limits;
};

class GoneCounter : public HttpConnection::Watcher {
public:
    explicit GoneCounter(int& count) : count_(count) {}
    void gone() override { ++count_; }

private:
    int& count_;
};

// A client whose request is answered by a stream.
struct Streaming {
    Wires wires;
    int gone = 0;
    FakeClient client{wires.io, wires.limits, [this](const ConnectionPtr& asked) {
                          asked->when_gone(std::make_shared<GoneCounter>(gone));
                          asked->begin_stream({200, "text/event-stream"});
                      }};
    Streaming() { client.send(http_request("GET", "/")); }
};

int status_of(const std::string& answer) {
    return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("requests in one piece and byte by byte are equal") {
    const std::string text = http_request("POST", "/a?b", {}, "one") + http_request("GET", "/c") +
                             "POST /d HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                             "2;ext=\"v\"\r\ntw\r\n1\r\no\r\n0\r\nTrailer: x\r\n\r\n";
    std::string whole, pieces;
    {
        Wires wires;
        FakeClient client(wires.io, wires.limits, echo);
        client.send(text);
        whole = client.got();
    }
    {
        Wires wires;
        FakeClient client(wires.io, wires.limits, echo);
        for (const char byte : text) client.send({&byte, 1});
        pieces = client.got();
    }
    CHECK(whole == pieces);
    CHECK(whole.find("POST /a one") != whole.npos);
    CHECK(whole.find("GET /c ") != whole.npos);
    CHECK(whole.find("POST /d two") != whole.npos);
}

// The connection reads ahead while it answers: if the next request has arrived partly, the rest
// must be appended to it.
TEST_CASE("a body that arrives partly during the previous answer stays complete") {
    Wires wires;
    ConnectionPtr asked;
    FakeClient client(wires.io, wires.limits, [&](const ConnectionPtr& one) { asked = one; });
    const std::string body = "0123456789abcdef";
    const auto second = http_request("POST", "/second", {}, body);
    client.send(http_request("POST", "/first", {}, "x") + second.substr(0, second.size() - 6));
    REQUIRE(asked);
    echo(asked);
    client.settle();
    client.send(second.substr(second.size() - 6));
    CHECK(asked->request().path == "/second");
    CHECK(asked->request().body == body);
    echo(asked);
    client.settle();
    CHECK(count(client.got(), "HTTP/1.1 200") == 2);
}

namespace {

struct Refused {
    const char* what;
    std::string text;
    int status;
};

std::string post(const std::string& headers, const std::string& body) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body;
}

const std::string kChunked = "Transfer-Encoding: chunked\r\n";

const Refused kRefused[] = {
    {"no HTTP", "hello\r\n\r\n", 400},
    {"another version", "GET / HTTP/3.7\r\nHost: x\r\n\r\n", 400},
    {"a length and chunks", post("Content-Length: 5\r\n" + kChunked, "0\r\n\r\n"), 400},
    {"chunks and a length", post(kChunked + "Content-Length: 5\r\n", "0\r\n\r\n"), 400},
    {"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"), 400},
    {"a list of lengths", post("Content-Length: 5, 6\r\n", "hello!"), 400},
    {"the same length twice", post("Content-Length: 1\r\nContent-Length: 1\r\n", "a"), 400},
    {"a list of the same length", post("Content-Length: 1, 1\r\n", "a"), 400},
    {"a list of one length", post("Content-Length: 1,\r\n", "a"), 400},
    {"a folded header", post("X: a\r\n b\r\n", ""), 400},
    {"a header folded by a tab", post("X: a\r\n\tb\r\n", ""), 400},
    {"a header that begins folded", post("X:\r\n b\r\n", ""), 400},
    {"a header with an empty fold", post("X: a\r\n \r\n", ""), 400},
    {"a folded length", post("Content-Length:\r\n 1\r\n", "a"), 400},
    {"folded chunks", post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), 400},
    {"a folded trailer", post(kChunked, "0\r\nX: a\r\n b\r\n\r\n"), 400},
    {"a negative length", post("Content-Length: -1\r\n", ""), 400},
    {"a signed length", post("Content-Length: +1\r\n", "a"), 400},
    {"a length in hex", post("Content-Length: 0x1\r\n", "a"), 400},
    {"a length beyond all numbers", post("Content-Length: 99999999999999999999999\r\n", ""), 400},
    {"chunks twice", post(kChunked + kChunked, "0\r\n\r\n"), 400},
    {"chunks of chunks", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 501},
    {"a coding after chunks", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), 501},
    {"a coding before chunks", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 501},
    {"an unknown coding", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501},
    {"identity", post("Transfer-Encoding: identity\r\n", ""), 501},
    {"a vertical tab",
     post("Transfer-Encoding: \x0b"
          "chunked\r\n",
          "0\r\n\r\n"),
     400},
    {"a blank before the colon", post("Content-Length : 1\r\n", "a"), 400},
    {"a bare line feed", "POST /mcp HTTP/1.1\nHost: localhost\n\n", 400},
    {"a line feed in a header", post("X: a\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
    {"a NUL in a value", post(std::string("X: a\0b\r\n", 8), ""), 400},
    {"a NUL in a name", post(std::string("X\0: a\r\n", 7), ""), 400},
    {"a header without a name", post(": a\r\n", ""), 400},
    {"a header without a colon", post("Nonsense\r\n", ""), 400},
    {"Host twice", post("Host: evil.example\r\n", ""), 400},
    {"a session twice", post("Mcp-Session-Id: a\r\nmcp-session-id: b\r\n", ""), 400},
    {"a token twice", post("Authorization: Bearer a\r\nAUTHORIZATION: Bearer b\r\n", ""), 400},
    {"an origin twice", post("Origin: null\r\norigin: null\r\n", ""), 400},
    {"an event twice", post("Last-Event-ID: 1-1\r\nlast-event-id: 1-2\r\n", ""), 400},
    {"a parameter twice", post("Mcp-Param-Region: a\r\nmcp-param-REGION: b\r\n", ""), 400},
    {"a chunk without a size", post(kChunked, "\r\nab\r\n0\r\n\r\n"), 400},
    {"a negative chunk", post(kChunked, "-1\r\nab\r\n0\r\n\r\n"), 400},
    {"a chunk beyond all numbers", post(kChunked, "fffffffffffffffff\r\n"), 400},
    {"a huge chunk", post(kChunked, "ffffffffffffffff\r\n"), 413},
    {"a chunk longer than it says", post(kChunked, "1\r\nab\r\n0\r\n\r\n"), 400},
    {"a body that is said to be long", post("Content-Length: 2000000\r\n", ""), 413},
    {"a body that gets long", post(kChunked, "fffff\r\n"), 413},
    {"long headers", post("X: " + std::string(20'000, 'a') + "\r\n", ""), 431},
    {"headers without an end", "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a'), 431},
    {"a long extension", post(kChunked, "1;" + std::string(40'000, 'a')), 431},
    {"a long trailer", post(kChunked, "0\r\nX: " + std::string(40'000, 'a')), 431},
};

}  // namespace

TEST_CASE("ambiguous requests are refused and the connection is closed") {
    for (const auto& [what, text, status] : kRefused) {
        const std::string shown_what(what);
        CAPTURE(shown_what);
        Wires wires;
        wires.limits.body_bytes = 100'000;
        bool taken = false;
        FakeClient client(wires.io, wires.limits, [&](auto&) { taken = true; });
        client.send(text);
        const auto answer = client.got();
        CHECK(status_of(answer) == status);
        CHECK(answer.find("Connection: close\r\n") != answer.npos);
        CHECK_FALSE(taken);
        // The rest is not read as another request.
        client.send(http_request("GET", "/smuggled"));
        CHECK_FALSE(taken);
        client.wait(3s);
        CHECK(client.closed());
    }
}

TEST_CASE("an endless trailer is not stored") {
    Wires wires;
    FakeClient client(wires.io, wires.limits, echo);
    client.send(post(kChunked, "0\r\nX: "));
    const std::string piece(1 << 20, 'a');
    for (int i = 0; i < 32 && !client.closed(); ++i) client.send(piece);
    CHECK(client.closed());
    CHECK(status_of(client.got()) == 431);
}

TEST_CASE("a slow request gets an error, an idle connection is closed") {
    Wires wires;
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send("POST /mcp HTTP/1.1\r\nHo");
        for (int i = 0; i < 31; ++i) {
            client.send("s");  // single bytes now and then do not help
            client.wait(1s);
        }
        CHECK(status_of(client.got()) == 408);
        client.wait(3s);
        CHECK(client.closed());
    }
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
        client.wait(31s);
        CHECK(status_of(client.got()) == 408);
    }
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send(http_request("GET", "/"));
        CHECK(status_of(client.got()) == 200);
        client.wait(74s);
        CHECK_FALSE(client.closed());
        client.wait(2s);
        CHECK(client.closed());
        CHECK(client.got().empty());
    }
}

TEST_CASE("a client that does not read is disconnected, and its output is limited") {
    Streaming stage;
    auto& client = stage.client;
    client.wait(16s);
    CHECK(client.got().find("3\r\n:\n\n\r\n") != std::string::npos);  // the heartbeat
    client.read_nothing(true);
    const std::string piece(1 << 20, 'a');
    int taken = 0;
    for (; taken < 64 && !client.closed(); ++taken) {
        client.connection()->stream(piece);
        client.settle();
    }
    CHECK(client.closed());
    CHECK(taken == 16);
    CHECK(stage.gone == 1);
}

TEST_CASE("memory of all clients is limited, and small requests still pass") {
    Wires wires;
    wires.limits.held_bytes = 1'000'000;
    std::atomic<std::size_t> held{0};
    {
        FakeClient slow(wires.io, wires.limits, echo, &held);
        slow.send("POST / HTTP/1.1\r\nContent-Length: 1200000\r\n\r\n" + std::string(900'000, 'a'));
        CHECK(held == 900'000);
        FakeClient large(wires.io, wires.limits, echo, &held);
        large.send(http_request("POST", "/", {}, std::string(200'000, 'b')));
        CHECK(status_of(large.got()) == 503);
        CHECK(held == 900'000);
        slow.send(std::string(150'000, 'a'));
        CHECK(status_of(slow.got()) == 503);
        CHECK(held == 0);
        FakeClient deaf(wires.io, wires.limits, echo, &held);
        deaf.read_nothing(true);
        deaf.send(http_request("POST", "/", {}, std::string(600'000, 'c')));
        CHECK(held > 1'200'000);  // the body, and the unread response
        FakeClient small(wires.io, wires.limits, echo, &held);
        small.send(http_request("POST", "/", {}, std::string(60'000, 'd')));
        CHECK(status_of(small.got()) == 200);
    }
    CHECK(held == 0);
}

TEST_CASE("a body counts until its request is answered, wherever it was moved to") {
    Wires wires;
    std::atomic<std::size_t> held{0};
    std::string kept;
    ConnectionPtr asked;
    FakeClient client(
        wires.io, wires.limits,
        [&](const ConnectionPtr& one) {
            asked = one;
            kept = std::move(one->request().body);
            one->begin_stream({200, "text/event-stream"});
        },
        &held);
    client.send(http_request("POST", "/", {}, std::string(300'000, 'a')));
    CHECK(kept.size() == 300'000);
    CHECK(held == 300'000);
    asked->end_stream();
    client.settle();
    CHECK(held == 0);
}

TEST_CASE("an unread stream ends with its next heartbeat, a read one does not") {
    Streaming stage;
    auto& client = stage.client;
    for (int i = 0; i < 10; ++i) client.wait(16s);
    CHECK_FALSE(client.closed());
    client.read_nothing(true);
    client.wait(16s);
    CHECK_FALSE(client.closed());
    client.wait(16s);
    CHECK(client.closed());
    CHECK(stage.gone == 1);
}

TEST_CASE("a disconnect is noticed while a request is handled, and only then") {
    Wires wires;
    int gone = 0;
    ConnectionPtr asked;
    auto take = [&](const ConnectionPtr& one) {
        asked = one;
        one->when_gone(std::make_shared<GoneCounter>(gone));
    };
    {
        FakeClient client(wires.io, wires.limits, take);
        client.send(http_request("POST", "/", {}, "x"));
        client.leave();
        CHECK(gone == 1);
        asked->respond({200, "text/plain", "too late"});
        client.settle();
        CHECK(client.got().empty());
    }
    {
        FakeClient client(wires.io, wires.limits, take);
        client.send(http_request("POST", "/", {}, "x"));
        asked->respond({200, "text/plain", "in time"});
        client.settle();
        client.leave();
        CHECK(gone == 1);
    }
}

TEST_CASE("Expect, HEAD, versions and Connection: close follow HTTP") {
    Wires wires;
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send(
            "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        CHECK(client.got() == "HTTP/1.1 100 Continue\r\n\r\n");
        client.send("ok");
        CHECK(client.got().ends_with("POST / ok"));
    }
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send(http_request("HEAD", "/"));
        const auto answer = client.got();
        CHECK(answer.find("Content-Length: 7\r\n") != answer.npos);
        CHECK(answer.ends_with("\r\n\r\n"));
        // The refusal of the next request is not affected by HEAD.
        client.send("nonsense\r\n\r\n");
        CHECK_FALSE(client.got().ends_with("\r\n\r\n"));
    }
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n");
        CHECK(client.got().find("Connection: close\r\n") != std::string::npos);
        client.leave();
        CHECK(client.closed());
    }
    {
        FakeClient client(wires.io, wires.limits, echo);
        client.connection()->wind_up();
        client.settle();
        CHECK(client.closed());
    }
}
