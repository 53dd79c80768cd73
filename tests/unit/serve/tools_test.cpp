#include <thread>

#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::replied;
using toolhost::test::ServeStage;

TEST_CASE("tools are listed in pages, in one order") {
    ServeStage stage;
    for (const char* name : {"c", "a", "e", "b", "d"}) stage.bench.add(name);
    stage.bench.add("old", {{"deprecated", true}});
    stage.open(2);
    (void)stage.initialize();
    std::string names;
    Json cursor;
    for (int page = 0; page < 3; ++page) {
        Json params = Json::object();
        if (!cursor.is_null()) params["cursor"] = cursor;
        const Json result = stage.request("tools/list", params)->result();
        for (const auto& tool : result["tools"]) names += tool["name"].get<std::string>();
        cursor = result.value("nextCursor", Json());
    }
    CHECK(names == "abcde");
    CHECK(cursor.is_null());
    CHECK(stage.request("tools/list", {{"cursor", "nonsense"}})->error_code() ==
          rpc_code::kInvalidParams);
    CHECK_FALSE(stage.request("tools/list")->result().contains("ttlMs"));
    CHECK(stage.alone("tools/list")->result()["cacheScope"] == "public");
}

TEST_CASE("content is converted to the protocol's form") {
    ServeStage stage;
    stage.bench.add("t",
                    {{"outputSchema", {{"type", "object"}}}, {"annotations", {{"title", "T"}}}});
    stage.bench.runtime.handler = [](auto&, auto&) {
        return replied(R"([{"json":{"n":1}},{"image":{"format":"png","source":{"bytes":"AA=="}}},
            {"document":{"format":"pdf","name":"d","source":{"bytes":"AA=="}}}])");
    };
    stage.open();
    (void)stage.initialize();
    const Json listed = stage.request("tools/list")->result()["tools"][0];
    CHECK(listed["title"] == "T");
    CHECK(listed["outputSchema"] == Json{{"type", "object"}});
    const Json result = stage.request("tools/call", {{"name", "t"}})->result();
    CHECK(result["structuredContent"] == Json{{"n", 1}});
    CHECK(result["content"][0] == Json{{"type", "text"}, {"text", R"({"n":1})"}});
    CHECK(result["content"][1] ==
          Json{{"type", "image"}, {"data", "AA=="}, {"mimeType", "image/png"}});
    CHECK(result["content"][2]["resource"]["mimeType"] == "application/pdf");
    CHECK_FALSE(result.contains("isError"));
}

TEST_CASE("invalid calls are errors of the protocol or of the tool") {
    ServeStage stage;
    stage.bench.add("t", {{"inputSchema", {{"type", "object"}, {"required", {"n"}}}}});
    stage.bench.runtime.handler = [](auto&, auto&) {
        return loading::Outcome{TOOL_FAILED, 0, "", loading::Outcome::Text{"c", "it broke"}, {}};
    };
    stage.open();
    (void)stage.initialize();
    CHECK(stage.request("tools/call", {{"name", "none"}})->error_code() ==
          rpc_code::kInvalidParams);
    CHECK(stage.request("tools/call")->error_code() == rpc_code::kInvalidParams);
    CHECK(stage.request("tools/call", {{"name", "t"}, {"arguments", 1}})->error_code() ==
          rpc_code::kInvalidParams);
    const Json invalid = stage.request("tools/call", {{"name", "t"}})->result();
    CHECK(invalid["isError"] == true);
    CHECK(invalid["_meta"]["toolhost/error"]["code"] == "invalid_input");
    const Json failed =
        stage.request("tools/call", {{"name", "t"}, {"arguments", {{"n", 1}}}})->result();
    CHECK(failed["isError"] == true);
    CHECK(failed["content"][0]["text"] == "it broke");
    CHECK(failed["_meta"]["toolhost/error"]["code"] == "tool_failed");
}

TEST_CASE("progress increases, and is sent only on request") {
    ServeStage stage;
    stage.bench.add("t");
    stage.bench.runtime.handler = [](auto&, loading::CallHost& host) {
        for (const char* step : {R"({"progress":1,"total":3})", R"({"progress":1})",
                                 R"({"progress":3,"total":3,"message":"done"})"})
            host.emit("progress", step);
        host.log(TOOL_LOG_DEBUG, "quiet");
        host.log(TOOL_LOG_WARN, "loud");
        return replied(R"([{"text":"ok"}])");
    };
    stage.open();
    (void)stage.initialize();
    const Json call{{"name", "t"}, {"_meta", {{"progressToken", "p"}}}};
    const auto sent = stage.request("tools/call", call)->all_sent();
    REQUIRE(sent.size() == 3);
    CHECK(sent[0]["params"] == Json{{"progressToken", "p"}, {"progress", 1}, {"total", 3}});
    CHECK(sent[1]["params"]["message"] == "done");
    CHECK(sent[2]["params"] == Json{{"level", "warning"}, {"logger", "t"}, {"data", "loud"}});
    (void)stage.request("logging/setLevel", {{"level", "debug"}});
    CHECK(stage.request("tools/call", {{"name", "t"}})->all_sent().size() == 2);
    CHECK(stage.request("logging/setLevel", {{"level", "loud"}})->error_code() ==
          rpc_code::kInvalidParams);
    // Without a level, a request without a session gets no logs.
    CHECK(stage.alone("tools/call", {{"name", "t"}})->all_sent().empty());
}

TEST_CASE("a cancelled request has no answer, and its tool is cancelled") {
    ServeStage stage;
    stage.bench.add("t");
    std::atomic<bool> told{false};
    stage.bench.runtime.handler = [&](auto&, loading::CallHost& host) {
        stage.session->cancel(stage.ids);
        told = host.cancelled();
        return replied(R"([{"text":"too late"}])");
    };
    stage.open();
    (void)stage.initialize();
    auto received = stage.request("tools/call", {{"name", "t"}});
    CHECK(received->answer().is_null());
    CHECK(told);
    CHECK(stage.server->calls() == 0);
}

TEST_CASE("calls beyond the limit are refused for now") {
    ServeStage stage;
    stage.bench.add("t");
    toolhost::test::ReceivedPtr inner;
    stage.bench.runtime.handler = [&](auto&, auto&) {
        inner = stage.request("tools/call", {{"name", "t"}});
        return replied(R"([{"text":"ok"}])");
    };
    stage.open(100, 1);
    (void)stage.initialize();
    CHECK(stage.request("tools/call", {{"name", "t"}})->result()["content"].size() == 1);
    CHECK(inner->error_code() == rpc_code::kBusy);
    CHECK(inner->status() == 429);
    stage.server->close();
    CHECK(stage.request("tools/call", {{"name", "t"}})->error_code() == rpc_code::kBusy);
}

TEST_CASE("each tool's documentation is a resource") {
    ServeStage stage;
    stage.bench.add("t");
    stage.open();
    (void)stage.initialize();
    CHECK(stage.request("resources/list")->result()["resources"][0]["uri"] == "toolhost://tools/t");
    const Json read = stage.request("resources/read", {{"uri", "toolhost://tools/t"}})->result();
    CHECK(read["contents"][0]["text"] == "# t");
    CHECK(stage.request("resources/read", {{"uri", "test://none"}})->error_code() ==
          rpc_code::kResourceNotFound);
    auto alone = stage.alone("resources/read", {{"uri", "toolhost://tools/none"}});
    CHECK(alone->error_code() == rpc_code::kInvalidParams);
    CHECK(alone->answer()["error"]["data"]["uri"] == "toolhost://tools/none");
}

TEST_CASE("a call that was read before the end is run, however late") {
    ServeStage stage;
    stage.bench.add("t");
    stage.bench.runtime.handler = [](auto&, auto&) { return replied(R"([{"text":"done"}])"); };
    stage.open();
    (void)stage.initialize();
    {
        const Server::Visit read(*stage.server);
        stage.server->close();
        const Json call{
            {"jsonrpc", "2.0"}, {"id", 100}, {"method", "tools/call"}, {"params", {{"name", "t"}}}};
        auto received = std::make_shared<test::Received>();
        for (const auto& request :
             stage.server->receive(read, stage.session, call.dump(), received))
            request->run();
        CHECK(received->result()["content"][0]["text"] == "done");
    }
    CHECK(stage.request("tools/call", {{"name", "t"}})->error_code() == rpc_code::kBusy);
    CHECK(stage.server->await_calls(std::chrono::milliseconds(0)));
}
