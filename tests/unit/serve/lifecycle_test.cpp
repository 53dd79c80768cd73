#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::ServeStage;

TEST_CASE("a session has the client's revision, or the newest supported one") {
    for (const auto& [asked, answered] : {std::pair{"2024-11-05", "2024-11-05"},
                                          {"2025-03-26", "2025-03-26"},
                                          {"2025-06-18", "2025-06-18"},
                                          {"2025-11-25", "2025-11-25"},
                                          {"1999-01-01", "2025-11-25"},
                                          {"2026-07-28", "2025-11-25"}}) {
        ServeStage stage;
        stage.open();
        const Json result = stage.initialize(asked)->result();
        CHECK(result["protocolVersion"] == answered);
        CHECK(result["serverInfo"]["version"] == "1.2.3");
        CHECK(result["capabilities"]["tools"]["listChanged"] == true);
        CHECK_FALSE(result.contains("resultType"));
        CHECK(stage.request("ping")->result() == Json::object());
        CHECK(stage.initialize()->error_code() == rpc_code::kInvalidRequest);
    }
}

TEST_CASE("a request outside a session states its revision") {
    ServeStage stage;
    stage.open();
    const Json discovered = stage.alone("server/discover")->result();
    CHECK(discovered["supportedVersions"] == Json{"2026-07-28"});
    CHECK(discovered["resultType"] == "complete");
    CHECK(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "toolhost");
    CHECK(discovered["ttlMs"].is_number_integer());

    CHECK(stage.request("tools/list")->error_code() == rpc_code::kInvalidParams);
    auto other = stage.request(
        "tools/list", {{"_meta",
                        {{"io.modelcontextprotocol/protocolVersion", "2099-01-01"},
                         {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}});
    CHECK(other->error_code() == rpc_code::kUnsupportedVersion);
    CHECK(other->status() == 400);
    CHECK(other->answer()["error"]["data"]["requested"] == "2099-01-01");
    for (const char* gone :
         {"initialize", "ping", "logging/setLevel", "resources/subscribe", "unknown/method"}) {
        auto refused = stage.alone(gone);
        CHECK(refused->error_code() == rpc_code::kMethodNotFound);
        CHECK(refused->status() == 404);
    }
}

TEST_CASE("batches exist in some revisions only") {
    ServeStage stage;
    stage.open();
    (void)stage.initialize("2025-03-26");
    const Json ping{{"jsonrpc", "2.0"}, {"id", "a"}, {"method", "ping"}};
    Json other = ping;
    other["id"] = "b";
    const Json note{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};
    const Json answers = stage.send({ping, note, other})->answer();
    REQUIRE(answers.is_array());
    CHECK(answers.size() == 2);
    CHECK(stage.send(Json::array({note}))->status() == 202);
    CHECK(stage.send(Json::array())->error_code() == rpc_code::kInvalidRequest);
    CHECK(stage.send(Json(100, note))->status() == 202);
    CHECK(stage.send(Json(101, note))->error_code() == rpc_code::kInvalidRequest);

    ServeStage later;
    later.open();
    (void)later.initialize("2025-06-18");
    CHECK(later.send(Json::array({ping}))->error_code() == rpc_code::kInvalidRequest);
}

TEST_CASE("a call that is cancelled in its own batch is not run") {
    ServeStage stage;
    stage.bench.add("t");
    int calls = 0;
    stage.bench.runtime.handler = [&](auto&, auto&) {
        ++calls;
        return toolhost::test::replied(R"([{"text":"called"}])");
    };
    stage.open();
    (void)stage.initialize("2025-03-26");
    const auto call = [](const char* id) {
        return Json{
            {"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", {{"name", "t"}}}};
    };
    const Json answers = stage
                             .send({call("a"),
                                    {{"jsonrpc", "2.0"}, {"id", "b"}, {"method", "ping"}},
                                    call("c"),
                                    {{"jsonrpc", "2.0"},
                                     {"method", "notifications/cancelled"},
                                     {"params", {{"requestId", "c"}}}}})
                             ->answer();
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["id"] == "b");  // requests without calls are answered while they are received
    CHECK(answers[1]["id"] == "a");
    CHECK(answers[1]["result"]["content"][0]["text"] == "called");
    CHECK(calls == 1);
}

TEST_CASE("a new tool is announced to sessions, and to streams that requested it") {
    ServeStage stage;
    stage.open();
    (void)stage.initialize();
    auto standalone = std::make_shared<toolhost::test::Received>();
    stage.session->set_standalone(standalone);
    auto stream = stage.alone("subscriptions/listen",
                              {{"notifications", {{"toolsListChanged", true}, {"more", true}}}});
    auto deaf = stage.alone("subscriptions/listen", {{"notifications", Json::object()}});
    const Json first = stream->sent(0);
    CHECK(first["method"] == "notifications/subscriptions/acknowledged");
    CHECK(first["params"]["notifications"] == Json{{"toolsListChanged", true}});

    stage.server->listeners().tools_changed();
    CHECK(standalone->sent(0)["method"] == "notifications/tools/list_changed");
    const Json told = stream->sent(1);
    CHECK(told["method"] == "notifications/tools/list_changed");
    CHECK(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] ==
          first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]);
    CHECK(stream->all_sent().size() == 2);
    CHECK(deaf->all_sent().size() == 1);
    CHECK_FALSE(stream->finished());
    stage.server->listeners().close();
    CHECK(stream->result()["resultType"] == "complete");
}

TEST_CASE("a session looks up its invoker once") {
    ServeStage stage;
    stage.open();
    auto options = stage.server->options();
    int lookups = 0;
    options.invoker = [&, find = options.invoker](const std::string& profile) {
        ++lookups;
        return find(profile);
    };
    stage.server = std::make_unique<serve::Server>(std::move(options));
    (void)stage.initialize();
    CHECK(stage.request("tools/list")->result().contains("tools"));
    CHECK(stage.request("tools/list")->result().contains("tools"));
    CHECK(stage.request("tools/call", {{"name", "nope"}})->error_code() ==
          rpc_code::kInvalidParams);
    CHECK(lookups == 1);
}
