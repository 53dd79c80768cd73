// Questions of tools, and their answers.
#include <set>

#include "host/base/json_text.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

loading::Outcome ended(tool_status status) {
    return {status, 0, "", {}, {}};
}

}  // namespace

TEST_CASE("several questions are pending together, each once, including nested ones") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "inner") {
            const auto name = host.interrupt("name", R"("who?")");
            if (name.first != TOOL_OK) return ended(name.first);
            return replied(R"([{"json":)" + name.second + "}]");
        }
        const auto age = host.interrupt("age", "1");
        const auto inner = host.call_tool("inner", "{}");
        const auto city = host.interrupt("city", "2");
        const auto again = host.interrupt("age", "1");
        for (const auto& [status, text] : {age, inner, city, again})
            if (status != TOOL_OK) return ended(status);
        return replied("[{\"json\":[" + age.second + "," + city.second + "," + inner.second +
                       "]}]");
    };
    const auto result = bench.call("outer");
    REQUIRE_FALSE(result.ok());
    CHECK(result.error->code == ErrorCode::interrupted);
    CHECK(result.error->message.ends_with("'age', 'name', 'city'"));
    const auto& details = result.error->details;
    REQUIRE(details["interrupts"].size() == 3);
    CHECK(details["interrupt"] == details["interrupts"][0]);
    CHECK(details["interrupts"][1]["reason"] == "who?");

    ToolUse again;
    again.reference = "outer";
    for (std::size_t i = 0; i < 3; ++i)
        again.answers[details["interrupts"][i]["id"].get<std::string>()] = {TOOL_OK, i};
    const auto resumed = bench.invoker().call(std::move(again));
    REQUIRE(resumed.ok());
    const auto& got = resumed.content[0].value;
    CHECK(got[0] == 0);
    CHECK(got[1] == 2);
    CHECK(got[2]["content"][0]["json"] == 1);
}

TEST_CASE("an answer applies to one tool, unchanged, and one input") {
    Bench bench;
    const auto add = [&](const char* path, const char* family, const char* version,
                         const char* sha256) {
        bench.add_library(path,
                          {{"name", "asks"},
                           {"family", family},
                           {"version", version},
                           {"description", "d"},
                           {"inputSchema", {{"type", "object"}}}},
                          sha256);
    };
    add("/one.so", "one", "1.0.0", "aaaa");
    add("/two.so", "two", "2.0.0", "bbbb");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        return ended(host.interrupt("sure", R"("really?")").first);
    };
    const auto id = [&](const char* reference, const Json& input = Json::object()) {
        const auto result = bench.call(reference, input);
        REQUIRE(result.error);
        CAPTURE(result.error->message);
        REQUIRE(result.error->code == ErrorCode::interrupted);
        return result.error->details["interrupt"]["id"].get<std::string>();
    };
    const auto known = id("native:one.asks");
    CHECK(id("native:one.asks") == known);
    CHECK(id("native:two.asks") != known);
    CHECK(id("native:one.asks", {{"x", 1}}) != known);
}

// Requests without a session are answered by id alone, so ids must be unique.
TEST_CASE("an answer applies to one caller, and its id is a complete digest") {
    Bench bench;
    bench.add_caller("outer", {"asks"});
    bench.add_caller("outermost", {"outer", "asks"});
    bench.add("asks");
    std::string name;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "asks") return ended(host.interrupt(name, R"("really?")").first);
        return ended(host.call_tool(in.tool == "outer" ? "asks" : "outer", "{}").first);
    };
    for (const char* question : {"consent", "sure"}) {
        CAPTURE(question);
        name = question;
        std::set<std::string> ids;
        for (const char* tool : {"asks", "outer", "outermost"}) {
            const auto result = bench.call(tool);
            REQUIRE(result.error);
            REQUIRE(result.error->code == ErrorCode::interrupted);
            const auto id = result.error->details["interrupt"]["id"].get<std::string>();
            CHECK(id.size() == std::string_view("ask-").size() + 64);
            CHECK(ids.insert(id).second);
        }
        // An answer is not used for another question, whatever tool asks it.
        ToolUse use;
        use.reference = "outermost";
        for (const auto& id : ids) use.answers[id] = {TOOL_OK, true};
        const auto own = bench.call("outermost").error->details["interrupt"]["id"];
        use.answers.erase(own.get<std::string>());
        CHECK(bench.invoker().call(std::move(use)).error->code == ErrorCode::interrupted);
    }
}

TEST_CASE("the memory of questions is limited: the others wait for the next round") {
    Bench bench;
    bench.add("asks");
    std::string reason;
    int questions = 1000;
    bench.runtime.handler = [&](auto&, loading::CallHost& host) {
        for (int i = 0; i < questions; ++i) (void)host.interrupt(std::to_string(i), reason);
        return ended(TOOL_INTERRUPTED);
    };
    CHECK(bench.call("asks").error->details["interrupts"].size() == 64);
    questions = 60;
    reason = '"' + std::string(60u << 10, 'x') + '"';
    CHECK(bench.call("asks").error->details["interrupts"].size() == 34);  // 2 MiB of them
}

TEST_CASE("a declined or dismissed question is reported to the tool, which may pass it on") {
    Bench bench;
    bench.add("asks");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        const auto [status, answer] = host.interrupt("sure", "{}");
        CHECK(answer.empty());
        return ended(status);
    };
    auto observer = std::make_shared<test::TestObserver>();
    Answer answer;
    observer->on_ask = [&](const Question&) { return answer; };
    struct Row {
        tool_status status;
        const char* how;
    };
    for (const auto& [status, how] :
         {Row{TOOL_DENIED, "declined"}, {TOOL_CANCELLED, "dismissed"}}) {
        const auto& shown_how = how;
        CAPTURE(shown_how);
        answer = {status, 5};
        const auto result = bench.call("asks", Json::object(), observer);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error->code == ErrorCode::consent_denied);
        CHECK(result.error->details["reason"] == how);
        CHECK(result.error->message == std::string("the user ") + how + " the question 'sure'");
        // In a later round the question's id can be used for it.
        const auto asked = bench.call("asks").error->details["interrupt"]["id"].get<std::string>();
        ToolUse again;
        again.reference = "asks";
        again.answers[asked] = {status, {}};
        CHECK(bench.invoker().call(std::move(again)).error->details["reason"] == how);
    }
}

TEST_CASE("a tool may give its own denial reason, or continue without an answer") {
    Bench bench;
    bench.add("asks");
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_ask = [](const Question&) { return Answer{TOOL_DENIED, {}}; };
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        CHECK(host.interrupt("sure", "{}").first == TOOL_DENIED);
        return loading::Outcome{TOOL_DENIED, 0, "", {}, loading::Outcome::Text{"mine", "my words"}};
    };
    const auto denied = bench.call("asks", Json::object(), observer);
    CHECK(denied.error->code == ErrorCode::policy_denied);
    CHECK(denied.error->details["reason"] == "mine");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        (void)host.interrupt("sure", "{}");
        return replied(R"([{"text":"without"}])");
    };
    CHECK(bench.call("asks", Json::object(), observer).ok());
}

TEST_CASE("a client is asked for its model and its roots") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") {
            const auto [status, text] = host.call_tool("inner", "{}");
            return status == TOOL_OK ? replied("[{\"json\":" + text + "}]") : ended(status);
        }
        const auto [asked, model] = host.ask_client("sampling", R"({"maxTokens":1})");
        const auto [listed, roots] = host.ask_client("roots", "{}");
        if (asked != TOOL_OK || listed != TOOL_OK) return ended(asked != TOOL_OK ? asked : listed);
        return replied("[{\"json\":[" + model + "," + roots + "]}]");
    };
    SUBCASE("now") {
        auto observer = std::make_shared<test::TestObserver>();
        observer->on_client_can = [](std::string_view) { return true; };
        observer->on_ask = [](const Question& question) {
            CHECK(question.tool == "inner@1.0.0");
            CHECK(question.name == question.kind);
            CHECK(question.reason ==
                  (question.kind == "sampling" ? Json{{"maxTokens", 1}} : Json::object()));
            return std::optional(Answer{TOOL_OK, question.kind});
        };
        const auto result = bench.call("outer", Json::object(), observer);
        REQUIRE(result.ok());
        CHECK(result.content[0].value["content"][0]["json"] == Json{"sampling", "roots"});
        observer->on_ask = [](const Question&) { return std::optional(Answer{TOOL_DENIED, {}}); };
        const auto declined = bench.call("inner", Json::object(), observer);
        CHECK(declined.error->code == ErrorCode::consent_denied);
        CHECK(declined.error->details["question"] == "roots");
    }
    SUBCASE("later") {
        auto observer = std::make_shared<test::TestObserver>();
        observer->on_client_can = [](std::string_view) { return true; };
        const auto waiting = bench.call("outer", Json::object(), observer);
        REQUIRE(waiting.error->code == ErrorCode::interrupted);
        const auto& asked = waiting.error->details["interrupts"];
        REQUIRE(asked.size() == 2);
        CHECK(asked[0]["kind"] == "sampling");
        CHECK(asked[1]["kind"] == "roots");
        ToolUse again;
        again.reference = "outer";
        for (const auto& question : asked)
            again.answers[question["id"].get<std::string>()] = {TOOL_OK, question["kind"]};
        CHECK(bench.invoker().call(std::move(again), observer).ok());
    }
    SUBCASE("never: the error names the missing capability") {
        auto observer = std::make_shared<test::TestObserver>();
        for (const auto& nobody : {std::shared_ptr<test::TestObserver>(), observer}) {
            const auto result = bench.call("inner", Json::object(), nobody);
            CHECK(result.error->code == ErrorCode::tool_failed);
            CHECK(result.error->details["capability"] == "roots");
        }
        observer->on_client_can = [](std::string_view kind) { return kind == "roots"; };
        observer->on_ask = [](const Question&) { return std::optional(Answer{TOOL_OK, 1}); };
        CHECK(bench.call("inner", Json::object(), observer).error->details["capability"] ==
              "sampling");
    }
}

TEST_CASE("invalid parameters are not sent to the client") {
    Bench bench;
    bench.add("t");
    bench.runtime.handler = [](const runtime::PlacedInvocation&, loading::CallHost& host) {
        for (const char* params : {"", "[]", "{"})
            CHECK(host.ask_client("sampling", params).first == TOOL_BAD_INPUT);
        return replied("[]");
    };
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_client_can = [](std::string_view) { return true; };
    observer->on_ask = [](const Question&) -> std::optional<Answer> {
        throw std::logic_error("asked");
    };
    CHECK(bench.call("t", Json::object(), observer).ok());
}
