// Notifications of changed resources.
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::Received;
using toolhost::test::ReceivedPtr;
using toolhost::test::ServeStage;

namespace {

// A library with resources; its tool reports a change of the given one.
struct NewsStage : ServeStage {
    NewsStage() {
        bench.add_library(
            "/news.so",
            {{"family", "news"},
             {"tools",
              {{{"name", "touch"}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}}}},
             {"resources", {{{"uri", "news:a"}, {"name", "a"}}}},
             {"resourceTemplates", {{{"uriTemplate", "news:day/{day}"}, {"name", "day"}}}}});
        bench.runtime.handler = [](const runtime::PlacedInvocation& call, loading::CallHost& host) {
            host.emit("resource_updated", call.input);
            return toolhost::test::replied(R"([{"text":"ok"}])");
        };
    }
    void touch(const char* uri) {
        const auto call = request("tools/call", {{"name", "touch"}, {"arguments", {{"uri", uri}}}});
        CHECK_FALSE(call->result().contains("isError"));
    }
    // Opens a session under that profile and switches to it; returns its messages outside of
    // requests.
    ReceivedPtr come_as(const char* name, const char* profile) {
        session = std::make_shared<Session>(Principal{name, profile});
        sessions.push_back(session);
        (void)initialize();
        auto standalone = std::make_shared<Received>();
        session->set_standalone(standalone);
        return standalone;
    }
    std::vector<std::shared_ptr<Session>> sessions;  // end with the stage
};

std::vector<Json> told_uris(Received& received) {
    std::vector<Json> uris;
    for (const auto& message : received.all_sent())
        if (message["method"] == "notifications/resources/updated")
            uris.push_back(message["params"]["uri"]);
    return uris;
}

using Uris = std::vector<Json>;

}  // namespace

TEST_CASE("an updated resource is announced to its subscribers") {
    NewsStage stage;
    stage.open();
    const auto standalone = stage.come_as("ann", "");
    stage.touch("news:a");
    CHECK(standalone->all_sent().empty());
    for (const char* uri : {"news:a", "news:day/1", "toolhost://tools/touch"})
        CHECK(stage.request("resources/subscribe", {{"uri", uri}})->result().empty());
    for (const char* uri : {"news:a", "news:day/1", "toolhost://tools/touch", "news:day/2"})
        stage.touch(uri);
    CHECK(told_uris(*standalone) == Uris{"news:a", "news:day/1", "toolhost://tools/touch"});
    (void)stage.request("resources/unsubscribe", {{"uri", "news:a"}});
    stage.touch("news:a");
    CHECK(standalone->all_sent().size() == 3);
}

TEST_CASE("only readable resources can be subscribed to") {
    NewsStage stage;
    stage.open();
    (void)stage.come_as("ann", "");
    for (const char* uri : {"news:b", "news:day/", "other:a", "toolhost://tools/none"}) {
        CAPTURE(uri);
        const auto refused = stage.request("resources/subscribe", {{"uri", uri}});
        CHECK(refused->error_code() == rpc_code::kResourceNotFound);
        CHECK(refused->answer()["error"]["data"]["uri"] == uri);
    }
    CHECK(stage.session->subscriptions() == 0);
    CHECK(stage.request("resources/subscribe", {{"uri", ""}})->error_code() ==
          rpc_code::kInvalidParams);
    CHECK(stage.request("resources/unsubscribe", {{"uri", "news:b"}})->result().empty());
}

TEST_CASE("a stream gets notifications of existing resources only") {
    NewsStage stage;
    stage.open();
    (void)stage.come_as("ann", "");
    const auto stream = stage.alone(
        "subscriptions/listen",
        {{"notifications", {{"resourceSubscriptions", {"news:b", "news:a", "news:day/1"}}}}});
    CHECK(stream->sent(0)["params"]["notifications"] ==
          Json{{"resourceSubscriptions", {"news:a", "news:day/1"}}});
    stage.touch("news:b");
    stage.touch("news:a");
    CHECK(told_uris(*stream) == Uris{"news:a"});
    stage.server->listeners().close();
}

TEST_CASE("a client that may not read a resource can neither subscribe nor be notified") {
    NewsStage stage;
    stage.open();
    const auto give = [&](const std::string& yaml) {
        stage.bench.profile(yaml);
        auto& narrow = stage.others["narrow"];
        if (narrow)
            narrow->use(stage.bench.options.rules);  // as the host does when it reloads profiles
        else
            narrow = std::make_unique<call::Invoker>(stage.bench.registry, stage.bench.runtime,
                                                     stage.bench.options);
    };
    const std::string none = "tools: {deny: [\"native:news.*\"]}\n";
    give(none);
    const Json a{{"uri", "news:a"}};
    const Json listened{{"notifications", {{"resourceSubscriptions", {"news:a"}}}}};
    const auto bob = stage.come_as("bob", "narrow");
    CHECK(stage.request("resources/subscribe", a)->error_code() == rpc_code::kResourceNotFound);
    CHECK(stage.alone("subscriptions/listen", listened)
              ->sent(0)["params"]["notifications"]["resourceSubscriptions"]
              .empty());
    // After access was granted and revoked.
    give("");
    CHECK(stage.request("resources/subscribe", a)->result().empty());
    const auto stream = stage.alone("subscriptions/listen", listened);
    give(none);
    const auto ann = stage.come_as("ann", "");
    CHECK(stage.request("resources/subscribe", a)->result().empty());
    stage.touch("news:a");
    CHECK(told_uris(*ann) == Uris{"news:a"});
    CHECK(told_uris(*bob).empty());
    CHECK(told_uris(*stream).empty());
    stage.server->listeners().close();
}
