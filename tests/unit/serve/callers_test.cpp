// Callers as tools see them, and the state that clients send.
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::replied;
using toolhost::test::ServeStage;

namespace {

struct CallerStage : ServeStage {
    CallerStage() {
        bench.add("t");
        bench.runtime.handler = [](const runtime::PlacedInvocation& invocation, auto&) {
            return replied("[{\"json\":{\"principal\":\"" + std::string(invocation.principal) +
                           "\",\"caller\":\"" + std::string(invocation.caller) +
                           "\",\"state\":" + std::string(invocation.state) + "}}]");
        };
        open();
    }

    Json called(Json params = Json::object()) {
        params["name"] = "t";
        return request("tools/call", std::move(params))->result()["structuredContent"];
    }
    // Calls in a separate session.
    std::string caller_in_session(const Principal& principal) {
        session = server->open_session(principal);
        (void)initialize();
        return called()["caller"].get<std::string>();
    }
    // Calls by a request without a session.
    std::string caller_alone(const Principal& principal) {
        session = server->open_session(principal);
        return alone("tools/call", {{"name", "t"}})
            ->result()["structuredContent"]["caller"]
            .get<std::string>();
    }
};

}  // namespace

TEST_CASE("each session is a separate caller") {
    CallerStage stage;
    const auto one = stage.caller_in_session({"ann", {}});
    CHECK(one.size() == 32);
    CHECK(stage.called()["caller"] == one);
    CHECK(stage.caller_in_session({"ann", {}}) != one);
    CHECK(stage.caller_in_session({"", {}}) != one);
}

TEST_CASE("all sessions and requests of a principal have that principal") {
    CallerStage stage;
    for (int i = 0; i < 2; ++i) {
        (void)stage.caller_in_session({"ann", {}});
        CHECK(stage.called()["principal"] == "ann");
    }
    CHECK(stage.alone("tools/call", {{"name", "t"}})->result()["structuredContent"]["principal"] ==
          "ann");
    (void)stage.caller_in_session({});
    CHECK(stage.called()["principal"] == "");
}

TEST_CASE("requests without a session have the caller of their principal, if any") {
    CallerStage stage;
    const auto ann = stage.caller_alone({"ann", {}});
    CHECK(ann.size() == 32);
    CHECK(stage.caller_alone({"ann", {}}) == ann);
    CHECK(stage.caller_alone({"bob", {}}) != ann);
    CHECK(stage.caller_alone({"ann", "other"}) != ann);
    CHECK(stage.caller_in_session({"ann", {}}) != ann);
    // Clients without a token cannot be distinguished, so every request is a separate caller.
    const auto anonymous = stage.caller_alone({});
    CHECK(anonymous.size() == 32);
    CHECK(stage.caller_alone({}) != anonymous);
    // Another server gives different, unpredictable names.
    CallerStage other;
    CHECK(other.caller_alone({"ann", {}}) != ann);
}

TEST_CASE("stdio has one client, whose caller is empty") {
    CallerStage stage;  // its session is created as by stdio
    (void)stage.initialize();
    CHECK(stage.called()["caller"] == "");
    CHECK(stage.alone("tools/call", {{"name", "t"}})->result()["structuredContent"]["caller"] ==
          "");
}

TEST_CASE("the end of a session is announced when it is no longer referenced") {
    std::vector<std::string> gone;
    ServerOptions options;
    options.caller_gone = [&](const std::string& caller) { gone.push_back(caller); };
    const Server server(std::move(options));
    auto session = server.open_session({"ann", {}});
    const auto caller = session->caller();
    auto held = session;
    session.reset();
    CHECK(gone.empty());
    held.reset();
    CHECK(gone == std::vector<std::string>{caller});
}

TEST_CASE("invocation state reaches the tool, within limits") {
    CallerStage stage;
    (void)stage.initialize();
    const auto with = [](Json state) {
        return Json{{"name", "t"}, {"_meta", {{"toolhost/state", std::move(state)}}}};
    };
    CHECK(stage.called()["state"] == Json::object());
    CHECK(stage.called(with({{"sessionId", "s"}}))["state"] == Json{{"sessionId", "s"}});
    CHECK(stage.alone("tools/call", with({{"n", 1}}))->result()["structuredContent"]["state"] ==
          Json{{"n", 1}});
    for (const auto& wrong :
         {Json(5), Json("text"), Json::array(), Json{{"long", std::string(70'000, 'x')}}})
        CHECK(stage.request("tools/call", with(wrong))->error_code() == rpc_code::kInvalidParams);
}
