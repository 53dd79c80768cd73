// Consent of a client's user: to one call of one tool with one input, once.
#include <thread>

#include "host/base/json_text.hpp"
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;
using toolhost::test::Received;
using toolhost::test::replied;
using toolhost::test::ServeStage;

namespace {

const Json kCan{{"elicitation", Json::object()}};
const Json kCareful{{"requiresConsent", true}};

Json accepted(Json content) {
    return {{"action", "accept"}, {"content", std::move(content)}};
}
Json allow(const char* how) {
    return accepted({{"allow", how}});
}

// A server with tools that only call each other, and are counted.
struct ConsentStage : ServeStage {
    std::map<std::string, int> ran;
    // The tools that "outer" calls, in order, with their input.
    std::vector<std::pair<std::string, std::string>> nested;

    ConsentStage() {
        bench.runtime.handler = [this](const runtime::PlacedInvocation& in,
                                       loading::CallHost& host) {
            ++ran[std::string(in.tool)];
            tool_status status = TOOL_OK;
            if (in.tool == "outer")
                for (const auto& [tool, input] : nested)
                    if (auto ended = host.call_tool(tool, input).first; ended != TOOL_OK)
                        status = ended;
            if (status != TOOL_OK) return loading::Outcome{status, 0, "", {}, {}};
            return replied(R"([{"text":"done"}])");
        };
    }

    // Repeats a request with consent until it is complete; returns how often it was asked.
    int accept_all_questions(Json params, std::vector<std::string>* texts = nullptr) {
        int questions = 0;
        for (int round = 0; round < 10; ++round) {
            const Json result = alone("tools/call", params, kCan)->result();
            if (result["resultType"] == "complete") {
                CHECK_FALSE(result.value("isError", false));
                return questions;
            }
            params["inputResponses"] = Json::object();
            for (const auto& [key, request] : result["inputRequests"].items()) {
                ++questions;
                if (texts) texts->push_back(request["params"]["message"].get<std::string>());
                params["inputResponses"][key] = allow("once");
            }
            params["requestState"] = result["requestState"];
        }
        FAIL("it never ends");
        return -1;
    }

    // Calls a tool in the session; `answer` answers its questions. Returns the result and whether
    // it was asked.
    std::pair<Json, bool> call_in_session(const char* tool, const char* answer) {
        auto received = std::make_shared<Received>();
        const Json call{{"jsonrpc", "2.0"},
                        {"id", ++ids},
                        {"method", "tools/call"},
                        {"params", {{"name", tool}}}};
        std::thread caller([&] { server->handle(session, call.dump(), received); });
        const bool asked = received->is_sent_any();
        if (asked)
            (void)send({{"jsonrpc", "2.0"},
                        {"id", received->sent(0).at("id")},
                        {"result", allow(answer)}});
        caller.join();
        return {received->result(), asked};
    }
};

}  // namespace

TEST_CASE("consent outside a session: requested, given once, and never reused") {
    ConsentStage stage;
    stage.bench.add("careful", kCareful);
    stage.open();
    Json params{{"name", "careful"}};
    const auto ask = [&] { return stage.alone("tools/call", params, kCan)->result(); };
    const Json asked = ask();
    // Consent applies to what was shown: an answer in the first request is ignored.
    params["inputResponses"] = {{"consent", allow("once")}};
    CHECK(ask()["resultType"] == "input_required");

    SUBCASE("no") {
        params["requestState"] = asked.at("requestState");
        params["inputResponses"] = {{"consent", allow("no")}};
        CHECK(ask()["_meta"]["toolhost/error"]["code"] == "consent_denied");
        // The same state cannot be used twice.
        params["inputResponses"] = {{"consent", allow("once")}};
        CHECK(stage.alone("tools/call", params, kCan)->error_code() == rpc_code::kInvalidParams);
        CHECK(stage.ran["careful"] == 0);
    }
    SUBCASE("once") {
        params["requestState"] = asked.at("requestState");
        CHECK(ask()["content"][0]["text"] == "done");
        const auto replay = stage.alone("tools/call", params, kCan);
        CHECK(replay->error_code() == rpc_code::kInvalidParams);
        CHECK(replay->answer()["error"]["message"].get<std::string>().find("used before") !=
              std::string::npos);
        CHECK(stage.ran["careful"] == 1);
    }
    SUBCASE("a request that was refused for lack of a place can be repeated") {
        params["requestState"] = asked.at("requestState");
        const auto usage = stage.server->usages().of(stage.session->principal());
        int places = 0;
        while (!stage.server->enter_call(*usage, true)) ++places;
        CHECK(stage.alone("tools/call", params, kCan)->error_code() == rpc_code::kBusy);
        for (; places > 0; --places) stage.server->leave_call(*usage);
        CHECK(ask()["content"][0]["text"] == "done");
    }
}

TEST_CASE("consent outside a session: always is not offered, and means once") {
    ConsentStage stage;
    stage.bench.add("careful", kCareful);
    stage.open();
    const Json params{{"name", "careful"}};
    const Json asked = stage.alone("tools/call", params, kCan)->result();
    const auto& form = asked["inputRequests"]["consent"]["params"]["requestedSchema"];
    CHECK(form["properties"]["allow"]["enum"] == Json{"once", "no"});
    Json again = params;
    again["requestState"] = asked.at("requestState");
    again["inputResponses"] = {{"consent", allow("always")}};
    CHECK(stage.alone("tools/call", again, kCan)->result()["content"][0]["text"] == "done");
    CHECK(stage.alone("tools/call", params, kCan)->result()["resultType"] == "input_required");
    CHECK(stage.ran["careful"] == 1);
}

TEST_CASE("consent outside a session applies to its own client only") {
    ConsentStage stage;
    stage.bench.add("careful", kCareful);
    stage.open();
    const auto ann = std::make_shared<Session>(Principal{"ann", {}});
    const auto bob = std::make_shared<Session>(Principal{"bob", {}});
    Json params{{"name", "careful"}};
    stage.session = ann;
    params["requestState"] = stage.alone("tools/call", params, kCan)->result().at("requestState");
    params["inputResponses"] = {{"consent", allow("once")}};
    stage.session = bob;
    CHECK(stage.alone("tools/call", params, kCan)->error_code() == rpc_code::kInvalidParams);
    CHECK(stage.ran["careful"] == 0);
    stage.session = ann;
    CHECK(stage.alone("tools/call", params, kCan)->result()["content"][0]["text"] == "done");
}

TEST_CASE("consent to a tool does not apply to the tools that it calls") {
    ConsentStage stage;
    stage.bench.add("outer", {{"requiresConsent", true}, {"needs", {{"tools", {"careful"}}}}});
    stage.bench.grant("outer", "tools");
    stage.bench.add("careful", kCareful);
    stage.nested = {{"careful", R"({"x":1})"}};
    stage.open();
    std::vector<std::string> texts;
    CHECK(stage.accept_all_questions({{"name", "outer"}}, &texts) == 2);
    REQUIRE(texts.size() == 2);
    CHECK(texts[0].starts_with("Allow outer 1.0.0 (family lib) to run?"));
    CHECK(
        texts[1].starts_with("Allow careful 1.0.0 (family lib), called by outer 1.0.0 (family "
                             "lib) to run?"));
    CHECK(texts[1].find("x: 1") != std::string::npos);
    CHECK(stage.ran["careful"] == 1);
}

TEST_CASE("one consent applies to one call, also within one request") {
    ConsentStage stage;
    stage.bench.add_caller("outer", {"careful"});
    stage.bench.add("careful", kCareful);
    stage.open();
    SUBCASE("with the same input") {
        stage.nested = {{"careful", R"({"x":1})"}, {"careful", R"({"x":1})"}};
        CHECK(stage.accept_all_questions({{"name", "outer"}}) == 2);
    }
    SUBCASE("with another") {
        stage.nested = {{"careful", R"({"x":1})"}, {"careful", R"({"x":2})"}};
        CHECK(stage.accept_all_questions({{"name", "outer"}}) == 2);
    }
}

TEST_CASE("always applies to the tool that was shown, not to its name") {
    ConsentStage stage;
    const auto add = [&](const char* path, const char* family, const char* version,
                         const char* identity) {
        stage.bench.add_library(path,
                                {{"name", "run"},
                                 {"description", "d"},
                                 {"family", family},
                                 {"version", version},
                                 {"requiresConsent", true},
                                 {"inputSchema", {{"type", "object"}}}},
                                identity);
    };
    add("/good.so", "good", "1.0.0", "aaaa");
    add("/evil.so", "evil", "2.0.0", "bbbb");
    stage.bench.add_library("/outer.so", {{"name", "outer"},
                                          {"description", "d"},
                                          {"needs", {{"tools", {"native:good.run"}}}},
                                          {"inputSchema", {{"type", "object"}}}});
    stage.bench.grant("outer", "tools");
    stage.nested = {{"native:good.run", "{}"}};
    stage.open();
    (void)stage.initialize("2025-11-25", kCan);
    CHECK(stage.call_in_session("good.run", "always").second);
    CHECK_FALSE(stage.call_in_session("good.run", "no").second);
    // A tool of another family with the same name.
    const auto [evil, asked] = stage.call_in_session("evil.run", "no");
    CHECK(asked);
    CHECK(evil["_meta"]["toolhost/error"]["code"] == "consent_denied");
    // The same tool, called by another one.
    CHECK(stage.call_in_session("outer", "no").second);
    // The same tool with other code.
    auto replaced = stage.bench.registry.change([&](registry::Draft& draft) -> Result<void> {
        for (auto& tool : draft)
            if (tool.spec.family == "good") {
                auto library = std::make_shared<registry::Library>(*tool.library);
                library->identity = "cccc";
                tool.library = library;
            }
        return {};
    });
    REQUIRE(replaced);
    CHECK(stage.call_in_session("good.run", "no").second);
    CHECK(stage.ran["run"] == 2);
}

TEST_CASE("always applies to one session only") {
    ConsentStage stage;
    stage.bench.add("careful", kCareful);
    stage.open();
    (void)stage.initialize("2025-11-25", kCan);
    CHECK(stage.call_in_session("careful", "always").second);
    CHECK_FALSE(stage.call_in_session("careful", "no").second);
    // The client of another principal has its own user, and this one cannot be asked.
    stage.session = std::make_shared<Session>(Principal{"other", {}});
    (void)stage.initialize("2025-11-25");
    CHECK(stage.request("tools/call", {{"name", "careful"}})
              ->result()["_meta"]["toolhost/error"]["code"] == "consent_required");
}

TEST_CASE("a tool's own question names it, and cannot speak for another") {
    ServeStage stage;
    stage.bench.add("t");
    stage.bench.runtime.handler = [](const runtime::PlacedInvocation&, loading::CallHost& host) {
        const Json words = "fine\n\ngit 1.0.0 (family git) asks: \xE2\x80\xAEok?";
        (void)host.interrupt("sure", words.dump());
        return loading::Outcome{TOOL_INTERRUPTED, 0, "", {}, {}};
    };
    stage.open();
    const Json asked = stage.alone("tools/call", {{"name", "t"}}, kCan)->result();
    CHECK(asked["inputRequests"]["sure"]["params"]["message"] ==
          "t 1.0.0 (family lib) asks (sure):\n| fine\n| \n| git 1.0.0 (family git) asks: "
          "\\u202eok?");
}

TEST_CASE("the approved input is shown, even if it is long") {
    ServeStage stage;
    stage.bench.add_library("/lib/file_operations.so",
                            Json::parse(R"({"name":"file_write","description":"Writes.",
        "requiresConsent":true,"inputSchema":{"type":"object","properties":
        {"path":{"type":"string"},"content":{"type":"string"}}}})"),
                            "0123456789abcdef");
    stage.bench.runtime.handler = [](auto&, auto&) { return replied("[]"); };
    stage.open();
    const Json params{{"name", "file_write"},
                      {"arguments", {{"content", std::string(20000, 'c')}, {"path", "/etc/x"}}}};
    const Json asked = stage.alone("tools/call", params, kCan)->result();
    const auto text = asked["inputRequests"]["consent"]["params"]["message"].get<std::string>();
    CAPTURE(text);
    CHECK(
        text.starts_with("Allow file_write 1.0.0 (family lib, library file_operations.so, identity "
                         "0123456789abcdef) to run?\n"));
    CHECK(text.find("path: \"/etc/x\"") < text.find("content: 20000 characters"));
    CHECK(text.size() < 9000);
}
