// What a tool asks while it runs, and what becomes of the answers.
#include "host/registry/json_text.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

runtime::Outcome ended(tool_status status) {
    return {status, 0, "", {}, {}};
}

}  // namespace

TEST_CASE("several questions are pending together, each once, nested ones among them") {
    Bench bench;
    bench.add("outer");
    bench.add("inner");
    bench.runtime.handler = [](const runtime::Invocation& in, runtime::CallHost& host) {
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
    const auto& got = resumed.content[0]["json"];
    CHECK(got[0] == 0);
    CHECK(got[1] == 2);
    CHECK(got[2]["content"][0]["json"] == 1);
}

TEST_CASE("questions do not fill the host's memory: the rest waits for the next round") {
    Bench bench;
    bench.add("asks");
    std::string reason;
    bench.runtime.handler = [&](auto&, runtime::CallHost& host) {
        for (int i = 0; i < 1000; ++i) (void)host.interrupt(std::to_string(i), reason);
        return ended(TOOL_INTERRUPTED);
    };
    CHECK(bench.call("asks").error->details["interrupts"].size() == 64);
    reason = '"' + std::string(1u << 20, 'x') + '"';
    CHECK(bench.call("asks").error->details["interrupts"].size() == 3);
    reason = '"' + std::string(5u << 20, 'x') + '"';
    CHECK(bench.call("asks").error->details["interrupts"].size() == 1);
}

TEST_CASE("a declined and a dismissed question: the tool is told, and may pass it on") {
    Bench bench;
    bench.add("asks");
    bench.runtime.handler = [](auto&, runtime::CallHost& host) {
        const auto [status, answer] = host.interrupt("sure", "{}");
        CHECK(answer.empty());
        return ended(status);
    };
    auto watch = std::make_shared<Watch>();
    Answer answer;
    watch->ask = [&](const Question&) { return answer; };
    struct Row {
        tool_status status;
        const char* how;
    };
    for (const auto& [status, how] :
         {Row{TOOL_DENIED, "declined"}, {TOOL_CANCELLED, "dismissed"}}) {
        CAPTURE(how);
        answer = {status, 5};
        const auto result = bench.call("asks", Json::object(), watch);
        REQUIRE_FALSE(result.ok());
        CHECK(result.error->code == ErrorCode::consent_denied);
        CHECK(result.error->details["reason"] == how);
        CHECK(result.error->message ==
              std::string("the tool asked 'sure', and the question was ") + how);
        // In a later round the same can be said by the question's id.
        const auto asked = bench.call("asks").error->details["interrupt"]["id"].get<std::string>();
        ToolUse again;
        again.reference = "asks";
        again.answers[asked] = {status, {}};
        CHECK(bench.invoker().call(std::move(again)).error->details["reason"] == how);
    }
}

TEST_CASE(
    "a tool that says itself why it denies, or goes on without an answer, has the last word") {
    Bench bench;
    bench.add("asks");
    auto watch = std::make_shared<Watch>();
    watch->ask = [](const Question&) { return Answer{TOOL_DENIED, {}}; };
    bench.runtime.handler = [](auto&, runtime::CallHost& host) {
        CHECK(host.interrupt("sure", "{}").first == TOOL_DENIED);
        return runtime::Outcome{TOOL_DENIED, 0, "", {}, runtime::Outcome::Text{"mine", "my words"}};
    };
    const auto denied = bench.call("asks", Json::object(), watch);
    CHECK(denied.error->code == ErrorCode::policy_denied);
    CHECK(denied.error->details["reason"] == "mine");
    bench.runtime.handler = [](auto&, runtime::CallHost& host) {
        (void)host.interrupt("sure", "{}");
        return replied(R"([{"text":"without"}])");
    };
    CHECK(bench.call("asks", Json::object(), watch).ok());
}
