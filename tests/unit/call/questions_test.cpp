// What a tool asks while it runs, and what becomes of the answers.
#include "host/registry/json_text.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

const runtime::Outcome kInterrupted{TOOL_INTERRUPTED, 0, "", {}, {}};

}  // namespace

TEST_CASE("several questions are pending together, each once, nested ones among them") {
    Bench bench;
    bench.add("outer");
    bench.add("inner");
    bench.runtime.handler = [](const runtime::Invocation& in, runtime::CallHost& host) {
        if (in.tool == "inner") {
            const auto name = host.interrupt("name", R"("who?")");
            if (!name) return kInterrupted;
            return replied(R"([{"json":)" + *name + "}]");
        }
        const auto age = host.interrupt("age", "1");
        const auto inner = host.call_tool("inner", "{}");
        const auto city = host.interrupt("city", "2");
        const auto again = host.interrupt("age", "1");
        if (!age || !city || !again || inner.first != TOOL_OK) return kInterrupted;
        return replied("[{\"json\":[" + *age + "," + *city + "," + inner.second + "]}]");
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
        again.answers[details["interrupts"][i]["id"].get<std::string>()] = i;
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
        return kInterrupted;
    };
    CHECK(bench.call("asks").error->details["interrupts"].size() == 64);
    reason = '"' + std::string(1u << 20, 'x') + '"';
    CHECK(bench.call("asks").error->details["interrupts"].size() == 3);
    reason = '"' + std::string(5u << 20, 'x') + '"';
    CHECK(bench.call("asks").error->details["interrupts"].size() == 1);
}
