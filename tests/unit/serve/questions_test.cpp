#include <thread>

#include "host/serve/questions.hpp"
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::Received;
using toolhost::test::ReceivedPtr;
using toolhost::test::replied;
using toolhost::test::ServeStage;

namespace {

const Json kForm{
    {"type", "object"}, {"properties", {{"name", {{"type", "string"}}}}}, {"required", {"name"}}};

// Asks one question after the other and replies with the answers.
loading::Outcome ask_two(const runtime::PlacedInvocation&, loading::CallHost& host) {
    const Json reason{{"message", "Who?"}, {"schema", kForm}};
    auto [first, name] = host.interrupt("who", reason.dump());
    auto [second, colour] = host.interrupt("colour", R"("Which colour?")");
    if (first != TOOL_OK || second != TOOL_OK) return {TOOL_INTERRUPTED, 0, "", {}, {}};
    return replied(R"([{"json":{"who":)" + name + R"(,"colour":)" + colour + "}}]");
}

// A server with one tool.
struct AskingStage : ServeStage {
    explicit AskingStage(loading::Outcome handler(const runtime::PlacedInvocation&,
                                                  loading::CallHost&),
                         const char* tool = "t", const Json& extra = Json::object()) {
        bench.add(tool, extra);
        bench.runtime.handler = handler;
        open();
    }
    // Calls it on a thread, which must be joined; meanwhile it can be answered.
    [[nodiscard]] std::pair<ReceivedPtr, std::thread> call_aside() {
        auto received = std::make_shared<Received>();
        const Json call{
            {"jsonrpc", "2.0"}, {"id", 9}, {"method", "tools/call"}, {"params", {{"name", "t"}}}};
        return {received, std::thread([this, received, text = call.dump()] {
                    server->handle(session, text, received);
                })};
    }
};

Json accepted(Json content) {
    return {{"action", "accept"}, {"content", std::move(content)}};
}

}  // namespace

TEST_CASE("in a session a tool's question is asked while it runs") {
    AskingStage stage(ask_two);
    (void)stage.initialize("2025-11-25", {{"elicitation", Json::object()}});
    auto [received, caller] = stage.call_aside();
    const Json first = received->sent(0);
    CHECK(first["method"] == "elicitation/create");
    CHECK(first["params"] ==
          Json{{"message", "t 1.0.0 (family lib) asks (who): Who?"}, {"requestedSchema", kForm}});
    auto answer = [&](const Json& id, Json result) {
        CHECK(
            stage.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}})->status() ==
            202);
    };
    answer("nobody's", Json::object());
    answer(first["id"], accepted({{"name", "Ada"}}));
    const Json second = received->sent(1);
    CHECK(second["params"]["message"] == "t 1.0.0 (family lib) asks (colour): Which colour?");
    answer(second["id"], accepted({{"answer", "red"}}));
    caller.join();
    CHECK(received->result()["structuredContent"] ==
          Json{{"who", {{"name", "Ada"}}}, {"colour", "red"}});
}

TEST_CASE("a client that cannot be asked gets the tool's error") {
    ServeStage stage;
    stage.bench.add("t");
    stage.bench.add("careful", {{"requiresConsent", true}});
    stage.bench.runtime.handler = ask_two;
    stage.open();
    (void)stage.initialize();
    const Json asked = stage.request("tools/call", {{"name", "t"}})->result();
    CHECK(asked["_meta"]["toolhost/error"]["code"] == "interrupted");
    const Json careful = stage.request("tools/call", {{"name", "careful"}})->result();
    CHECK(careful["_meta"]["toolhost/error"]["code"] == "consent_required");
    auto alone = stage.alone("tools/call", {{"name", "t"}});
    CHECK(alone->error_code() == rpc_code::kMissingCapability);
    CHECK(alone->status() == 400);
    CHECK(alone->answer()["error"]["data"]["requiredCapabilities"].contains("elicitation"));
}

TEST_CASE("outside a session the request is repeated with the answers") {
    AskingStage stage(ask_two);
    const Json can{{"elicitation", Json::object()}};
    Json params{{"name", "t"}, {"arguments", {{"x", 1}}}};
    const Json first = stage.alone("tools/call", params, can)->result();
    CHECK(first["resultType"] == "input_required");
    CHECK(first["inputRequests"]["who"]["method"] == "elicitation/create");
    CHECK(first["inputRequests"].size() == 2);
    params["requestState"] = first["requestState"];

    SUBCASE("all at once, and others are ignored") {
        params["inputResponses"] = {{"who", accepted({{"name", "Ada"}})},
                                    {"colour", accepted({{"answer", "red"}})},
                                    {"more", 1}};
        const Json result = stage.alone("tools/call", params, can)->result();
        CHECK(result["resultType"] == "complete");
        CHECK(result["structuredContent"]["colour"] == "red");
    }
    SUBCASE("one after the other") {
        params["inputResponses"] = {{"who", accepted({{"name", "Ada"}})}};
        const Json second = stage.alone("tools/call", params, can)->result();
        CHECK(second["resultType"] == "input_required");
        CHECK(second["inputRequests"].size() == 1);
        params["requestState"] = second["requestState"];
        params["inputResponses"] = {{"colour", accepted({{"answer", "red"}})}};
        CHECK(
            stage.alone("tools/call", params, can)->result()["structuredContent"]["who"]["name"] ==
            "Ada");
    }
    SUBCASE("an invalid answer is asked again") {
        for (const Json& bad : {accepted({{"name", 1}}), Json(1), Json{{"action", "perhaps"}},
                                accepted(Json::object())}) {
            params["inputResponses"] = {{"who", bad}, {"colour", accepted({{"answer", "red"}})}};
            const Json again = stage.alone("tools/call", params, can)->result();
            CHECK(again["inputRequests"].contains("who"));
            CHECK_FALSE(again["inputRequests"].contains("colour"));
            params["requestState"] = again["requestState"];
        }
    }
    SUBCASE("early answers are kept") {
        params.erase("requestState");
        params["inputResponses"] = {{"who", accepted({{"name", "Ada"}})}, {"more", 1}};
        const Json second = stage.alone("tools/call", params, can)->result();
        CHECK_FALSE(second["inputRequests"].contains("who"));
        params["requestState"] = second["requestState"];
        params["inputResponses"] = {{"colour", accepted({{"answer", "red"}})}};
        CHECK(stage.alone("tools/call", params, can)->result()["resultType"] == "complete");
        params["inputResponses"] = nullptr;
        CHECK(stage.alone("tools/call", params, can)->error_code() == rpc_code::kInvalidParams);
    }
    SUBCASE("a changed state, or that of another request, is refused") {
        Json changed = params;
        auto state = params["requestState"].get<std::string>();
        state[state.size() / 2] = state[state.size() / 2] == '0' ? '1' : '0';
        changed["requestState"] = state;
        CHECK(stage.alone("tools/call", changed, can)->error_code() == rpc_code::kInvalidParams);
        params["arguments"]["x"] = 2;
        CHECK(stage.alone("tools/call", params, can)->error_code() == rpc_code::kInvalidParams);
    }
}

namespace {

// Needs the client's model, its roots, and a human.
loading::Outcome ask_all(const runtime::PlacedInvocation&, loading::CallHost& host) {
    const auto [human, name] = host.interrupt("who", R"("Who?")");
    const auto [asked, model] = host.ask_client("sampling", R"({"maxTokens":1,"messages":[]})");
    const auto [listed, roots] = host.ask_client("roots", "{}");
    for (const auto status : {asked, listed, human})
        if (status != TOOL_OK) return {status, 0, "", {}, {}};
    return replied("[{\"json\":[" + model + "," + roots + "," + name + "]}]");
}

const Json kAll{
    {"sampling", Json::object()}, {"roots", Json::object()}, {"elicitation", Json::object()}};
const Json kModel{{"role", "assistant"}, {"content", {{"type", "text"}, {"text", "hi"}}}};
const Json kRoots{{"roots", {{{"uri", "file:///a"}}}}};

Json answer_to(const std::string& method) {
    if (method == "sampling/createMessage") return kModel;
    return method == "roots/list" ? kRoots : accepted({{"answer", "Ada"}});
}

}  // namespace

TEST_CASE("a client is asked for its model and roots: at once in a session") {
    AskingStage stage(ask_all);
    (void)stage.initialize("2025-11-25", kAll);
    auto [received, caller] = stage.call_aside();
    for (std::size_t i = 0; i < 3; ++i) {
        const Json asked = received->sent(i);
        const auto method = asked["method"].get<std::string>();
        if (method == "sampling/createMessage")
            CHECK(asked["params"] == Json{{"maxTokens", 1}, {"messages", Json::array()}});
        (void)stage.send({{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", answer_to(method)}});
    }
    caller.join();
    CHECK(Json::parse(received->result()["content"][0]["text"].get<std::string>()) ==
          Json{kModel, kRoots, "Ada"});
}

TEST_CASE("sampling and roots requests: in a round without a session") {
    AskingStage stage(ask_all);
    Json params{{"name", "t"}};
    const Json asked = stage.alone("tools/call", params, kAll)->result();
    REQUIRE(asked["resultType"] == "input_required");
    REQUIRE(asked["inputRequests"].size() == 3);
    for (const auto& [key, request] : asked["inputRequests"].items())
        params["inputResponses"][key] = answer_to(request["method"].get<std::string>());
    params["requestState"] = asked["requestState"];
    const Json done = stage.alone("tools/call", params, kAll)->result();
    CHECK(done["resultType"] == "complete");
    CHECK(Json::parse(done["content"][0]["text"].get<std::string>()) ==
          Json{kModel, kRoots, "Ada"});
}

TEST_CASE("a missing client capability is an error of the request or of the tool") {
    AskingStage stage(ask_all);
    auto alone = stage.alone("tools/call", {{"name", "t"}}, {{"roots", Json::object()}});
    CHECK(alone->error_code() == rpc_code::kMissingCapability);
    CHECK(alone->answer()["error"]["data"]["requiredCapabilities"] ==
          Json{{"sampling", Json::object()}});
    (void)stage.initialize();
    const Json result = stage.request("tools/call", {{"name", "t"}})->result();
    CHECK(result["isError"] == true);
    CHECK(result["_meta"]["toolhost/error"]["details"]["capability"] == "roots");
}
