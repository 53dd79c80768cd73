#include "host/serve/http/sessions.hpp"

#include "host/serve/request.hpp"
#include "tests/fake_wire.hpp"
#include "tests/raw_client.hpp"
#include "tests/unit/serve/stage.hpp"

using namespace toolhost::serve;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<Session> initialized(const char* name = "", Revision revision = kNewestSession) {
    auto session = std::make_shared<Session>(Principal{name, {}});
    Client client;
    client.revision = revision;
    REQUIRE(session->initialize(std::move(client)));
    return session;
}

}  // namespace

TEST_CASE("a session is found by its id, and only by its principal") {
    HttpSessions sessions(10, 60s);
    const auto session = sessions.adopt(initialized("anna"));
    REQUIRE(session);
    CHECK(session->id().size() == 22);
    CHECK(sessions.adopt(initialized("anna"))->id() != session->id());
    CHECK(sessions.find(session->id(), {"anna", {}}) == session);
    CHECK_FALSE(sessions.find(session->id(), {"bert", {}}));
    CHECK_FALSE(sessions.find(session->id(), {}));
    CHECK_FALSE(sessions.find(session->id(), {"anna", "another profile"}));
    CHECK_FALSE(sessions.find("", {"anna", {}}));
    CHECK_FALSE(sessions.end(session->id(), {"bert", {}}));
    CHECK_FALSE(session->session()->closed());
    CHECK(sessions.end(session->id(), {"anna", {}}));
    CHECK(session->session()->closed());
    CHECK(session->standalone()->ended());
    CHECK_FALSE(sessions.find(session->id(), {"anna", {}}));
    CHECK_FALSE(sessions.end(session->id(), {"anna", {}}));
}

TEST_CASE("the number of sessions is limited, and an ended one makes room") {
    HttpSessions sessions(2, 60s);
    const auto first = sessions.adopt(initialized());
    REQUIRE(sessions.adopt(initialized()));
    CHECK_FALSE(sessions.adopt(initialized()));
    CHECK(sessions.size() == 2);
    CHECK(sessions.end(first->id(), {}));
    CHECK(sessions.adopt(initialized()));
    sessions.end_all();
    CHECK(sessions.size() == 0);
}

TEST_CASE("an idle session ends, one with a stream or a request does not") {
    boost::asio::io_context io;  // outlives the streams, which keep connections
    HttpSessions sessions(10, 60s);
    const auto idle = sessions.adopt(initialized());
    const auto watched = sessions.adopt(initialized());
    const HttpLimits limits;
    toolhost::test::FakeClient client(io, limits, [](const ConnectionPtr& asked) {
        asked->begin_stream({200, "text/event-stream"});
    });
    client.send(toolhost::test::http_request("GET", "/mcp"));
    watched->standalone()->attach(client.connection(), 0, false);
    const auto start = std::chrono::steady_clock::now();
    sessions.end_idle(start + 59s);
    CHECK(sessions.size() == 2);
    sessions.end_idle(start + 61s);
    CHECK(sessions.size() == 1);
    CHECK(idle->session()->closed());
    CHECK_FALSE(watched->session()->closed());
}

TEST_CASE("the idle time of a session starts after its last answer") {
    HttpSessions sessions(10, 60s);
    const auto session = sessions.adopt(initialized());
    toolhost::test::ServeStage stage;
    stage.open();
    const auto request = std::make_shared<Request>(
        *stage.server, session->session(), std::make_shared<toolhost::test::Received>(),
        Request::About{Message{Message::Kind::request, 1, "m"}, std::make_shared<const Client>()});
    REQUIRE(session->session()->enter(request));
    const auto start = std::chrono::steady_clock::now();
    sessions.end_idle(start + 1000s);
    CHECK(sessions.size() == 1);
    request->reply(toolhost::Json::object());
    sessions.end_idle(start + 1059s);
    CHECK(sessions.size() == 1);
    sessions.end_idle(start + 1061s);
    CHECK(sessions.size() == 0);
}

TEST_CASE("a revoked token ends its own sessions only") {
    HttpSessions sessions(10, 60s);
    const auto ann = sessions.adopt(std::make_shared<Session>(Principal{"ann", "p"}));
    const auto other = sessions.adopt(std::make_shared<Session>(Principal{"ann", "q"}));
    sessions.end_of({"ann", "p"});
    CHECK(sessions.size() == 1);
    CHECK(ann->session()->closed());
    CHECK_FALSE(other->session()->closed());
}

TEST_CASE("requests are identified by their ids, whatever these are") {
    toolhost::test::ServeStage stage;
    stage.open();
    const auto session = initialized();
    std::vector<std::shared_ptr<Request>> exchanges;
    for (const toolhost::Json& id :
         {toolhost::Json(5), toolhost::Json(9223372036854775808u), toolhost::Json(-3),
          toolhost::Json(-1), toolhost::Json(18446744073709551615u), toolhost::Json("5")}) {
        exchanges.push_back(std::make_shared<Request>(
            *stage.server, session, std::make_shared<toolhost::test::Received>(),
            Request::About{Message{Message::Kind::request, id, "m"},
                           std::make_shared<const Client>()}));
        CHECK(session->enter(exchanges.back()));
        CHECK_FALSE(session->enter(exchanges.back()));
    }
    for (const auto& request : exchanges) request->reply(toolhost::Json::object());
    CHECK_FALSE(session->busy());
}

TEST_CASE("ended streams are kept for a while, up to a limit") {
    HttpSessions sessions(10, 60s);
    const auto session = sessions.adopt(initialized());
    const auto running = session->new_stream();
    CHECK(session->find_stream(0) == session->standalone());
    CHECK(session->find_stream(1) == running);
    for (int i = 0; i < 100; ++i) {
        const auto stream = session->new_stream();
        stream->push("{}");
        stream->end();
    }
    CHECK(session->find_stream(1) == running);
    CHECK_FALSE(session->find_stream(2));
    CHECK(session->find_stream(101));
    for (int i = 0; i < 10; ++i) {
        const auto stream = session->new_stream();
        stream->push(std::string(3 << 20, 'a'));
        stream->end();
    }
    std::size_t kept = 0;
    (void)session->new_stream();
    for (std::uint64_t number = 102; number <= 111; ++number)
        kept += session->find_stream(number) ? 1 : 0;
    CHECK(kept == 2);
}

TEST_CASE("when the server stops, streams of sessions end, and new ones end at once") {
    HttpSessions sessions(10, 60s);
    const auto before = sessions.adopt(initialized());
    sessions.end_standalone();
    CHECK(before->standalone()->ended());
    CHECK(sessions.adopt(initialized())->standalone()->ended());
    CHECK_FALSE(before->session()->closed());
}

TEST_CASE("only revisions that support them get events without data") {
    HttpSessions sessions(10, 60s);
    CHECK(sessions.adopt(initialized("", Revision::r2025_11_25))->primes());
    CHECK_FALSE(sessions.adopt(initialized("", Revision::r2025_06_18))->primes());
}
