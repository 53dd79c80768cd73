// Steps that a profile governs, with functions as plugins.
#include <boost/filesystem/operations.hpp>

#include "host/call/output_checks.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

TEST_CASE("the tool gets the profile's policy over its own defaults, and its remaining time") {
    Bench bench;
    bench.add("t", {{"timeoutMs", 50},
                    {"policySchema",
                     {{"type", "object"},
                      {"properties", {{"a", {{"default", 1}}}, {"b", {{"default", 2}}}}}}}});
    bench.profile("defaults: { timeoutMs: 1000 }\npolicies: { t: { b: 5 } }\n");
    std::optional<std::chrono::milliseconds> left;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        // The host sets the workspace; relative ones are relative to its working folder.
        CHECK(Json::parse(in.policy) ==
              Json{{"a", 1},
                   {"b", 5},
                   {"maxOutputChars", policy::Limits().max_output_chars},
                   {"workspace", boost::filesystem::current_path().string()}});
        left = std::chrono::duration_cast<std::chrono::milliseconds>(
            *host.deadline() - std::chrono::steady_clock::now());
        return replied("[]");
    };
    CHECK(bench.call("t").ok());
    REQUIRE(left);
    CHECK(left->count() <= 50);
}

TEST_CASE("a nested call has at most the remaining time of the outer call") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    bench.profile("policies: { outer: { timeoutMs: 1000 }, inner: { timeoutMs: 500000 } }\n");
    os::Deadline outer, inner;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        (in.tool == "outer" ? outer : inner) = host.deadline();
        if (in.tool == "outer") CHECK(host.call_tool("inner", "{}").first == TOOL_OK);
        return replied("[]");
    };
    CHECK(bench.call("outer").ok());
    REQUIRE((outer && inner));
    CHECK(*inner <= *outer);
}

TEST_CASE("a nested call that waits for a human makes the outer call wait too") {
    Bench bench;
    bench.add_caller("outer", {"asks"});
    bench.add("asks");
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "asks") {
            auto [answered, answer] = host.interrupt("sure", "{}");
            return answered == TOOL_OK ? replied(R"([{"json":)" + answer + "}]")
                                       : loading::Outcome{answered, 0, "", {}, {}};
        }
        auto [status, text] = host.call_tool("asks", "{}");
        if (status != TOOL_OK) return loading::Outcome{status, 0, "", {}, {}};
        return replied(R"([{"json":)" + text + "}]");
    };
    auto result = bench.call("outer");
    REQUIRE_FALSE(result.ok());
    CHECK(result.error->code == ErrorCode::interrupted);
    ToolUse again;
    again.reference = "outer";
    again.answers[result.error->details["interrupt"]["id"].get<std::string>()] = {TOOL_OK, 7};
    auto resumed = bench.invoker().call(std::move(again));
    REQUIRE(resumed.ok());
    CHECK(resumed.content[0].value["content"][0]["json"] == 7);
}

TEST_CASE("the timeout is paused while a question is pending") {
    Bench bench;
    bench.add("asks");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        const auto before = *host.deadline();
        CHECK(host.interrupt("q", "{}").first == TOOL_OK);
        CHECK(*host.deadline() > before);
        return replied("[]");
    };
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_ask = [](const Question&) { return Answer{TOOL_OK, 1}; };
    CHECK(bench.call("asks", Json::object(), observer).ok());
}

TEST_CASE("consent: once, always, no") {
    Bench bench;
    bench.add("careful", {{"requiresConsent", true}});
    bench.runtime.handler = [](auto&, auto&) { return replied("[]"); };
    auto invoker = bench.invoker();
    int asked = 0;
    auto answer = ConsentAnswer::no;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_consent = [&](const ConsentQuestion& question) {
        ++asked;
        CHECK(question.tool == "careful");
        CHECK(question.input == Json{{"x", 1}});
        return answer;
    };
    auto call = [&] {
        ToolUse use;
        use.reference = "careful";
        use.input = {{"x", 1}};
        return invoker.call(std::move(use), observer);
    };
    CHECK(call().error->code == ErrorCode::consent_denied);
    answer = ConsentAnswer::once;
    CHECK(call().ok());
    answer = ConsentAnswer::always;
    CHECK(call().ok());
    CHECK(asked == 3);
    CHECK(call().ok());
    CHECK(asked == 3);
}

TEST_CASE("rate limits apply per principal, also to nested calls") {
    Bench bench;
    bench.add_caller("outer", {"t"});
    bench.add("t");
    bench.profile("policies: { t: { rateLimit: { calls: 1, seconds: 3600 } } }\n");
    std::string inner;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") inner = host.call_tool("t", "{}").second;
        return replied("[]");
    };
    auto invoker = bench.invoker();
    const auto call = [&](const char* tool, const char* principal, const char* caller) {
        ToolUse use;
        use.reference = tool;
        use.principal = principal;
        use.caller = caller;
        auto result = invoker.call(std::move(use));
        return result.ok() ? std::string("ok") : std::string(info(result.error->code).name);
    };
    CHECK(call("t", "ann", "session1") == "ok");
    CHECK(call("t", "ann", "session2") == "rate_limited");
    CHECK(call("t", "bob", "session3") == "ok");
    CHECK(call("outer", "bob", "session3") == "ok");
    CHECK(inner.find("rate_limited") != std::string::npos);
    CHECK(call("t", "", "session4") == "ok");
    CHECK(call("t", "", "session5") == "rate_limited");  // without principals all callers are one
}

TEST_CASE("tools with the same name in two families share no counters and limits") {
    Bench bench;
    bench.add("t", {{"family", "a"}});
    bench.profile("policies: { t: { rateLimit: { calls: 1, seconds: 3600 } } }\n");
    bench.runtime.handler = [](auto&, auto&) { return replied("[]"); };
    auto invoker = bench.invoker();
    const auto call = [&] {
        ToolUse use;
        use.reference = "t";
        auto result = invoker.call(std::move(use));
        return result.ok() ? std::string("ok") : std::string(info(result.error->code).name);
    };
    CHECK(call() == "ok");
    CHECK(call() == "rate_limited");
    CHECK(invoker.stats()["t@1.0.0"]["calls"] == 2);
    // The library is replaced by another one.
    REQUIRE(bench.registry.change([](registry::Draft& draft) -> Result<void> {
        draft.clear();
        return {};
    }));
    bench.add("t", {{"family", "b"}});
    CHECK(call() == "ok");
    CHECK(invoker.stats()["a.t@1.0.0"]["calls"] == 2);
    CHECK(invoker.stats()["b.t@1.0.0"]["calls"] == 1);
}

TEST_CASE("a new profile applies to the next call") {
    Bench bench;
    bench.add("t");
    bench.runtime.handler = [](auto&, auto&) { return replied("[]"); };
    auto invoker = bench.invoker();
    auto code = [&] {
        ToolUse use;
        use.reference = "t";
        auto result = invoker.call(std::move(use));
        return result.ok() ? std::string("ok") : std::string(info(result.error->code).name);
    };
    CHECK(code() == "ok");
    bench.profile("tools: { deny: [t] }\n");
    invoker.use(bench.options.rules);
    CHECK(code() == "tool_not_allowed");
    CHECK(invoker.stats()["t@1.0.0"]["denials"] == Json{{"tool_not_allowed", 1}});
}

TEST_CASE("text is cut across all blocks, never within a character") {
    ReadyTool ready{"t", *schema::Schema::compile(Json::object()), {}, false, {}, "{}"};
    ready.limits.max_output_chars = 5;
    Content content{{ContentKind::text, "äöü"},
                    {ContentKind::json, {1}},
                    {ContentKind::text, "äöü"},
                    {ContentKind::text, "x"}};
    auto truncated = limit_output(ready, content);
    REQUIRE(truncated);
    REQUIRE(*truncated);
    CHECK((*truncated)->shown_chars == 5);
    CHECK((*truncated)->total_chars == 7);
    CHECK(content[0].value == "äöü");
    CHECK(content[2].value == "äö\n[truncated: 2 of 3 characters shown]");
    CHECK(content[3].value == "\n[truncated: 0 of 1 characters shown]");
    Content fits = *parse_content(R"([{"text":"äöüäö"}])");
    CHECK_FALSE(*limit_output(ready, fits));
    Content large = *parse_content(R"([{"json":[1,2,3]}])");
    CHECK(limit_output(ready, large).error().code == ErrorCode::output_too_large);
    Content page = *parse_content(R"([{"resource":{"uri":"a:b","text":"123456"}}])");
    CHECK(limit_output(ready, page).error().code == ErrorCode::output_too_large);
    Content bytes = *parse_content(R"([{"resource":{"uri":"a:b","blob":"AAAAAAAA"}}])");
    CHECK_FALSE(*limit_output(ready, bytes));
}

TEST_CASE("consent given in advance applies to one call only") {
    Bench bench;
    bench.add("outer", {{"requiresConsent", true}, {"needs", {{"tools", {"inner"}}}}});
    bench.grant("outer", "tools");
    bench.add("inner", {{"requiresConsent", true}});
    std::string nested;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") nested = host.call_tool("inner", "{}").second;
        return replied("[]");
    };
    auto invoker = bench.invoker();
    const auto call = [&](bool consented) {
        ToolUse use;
        use.reference = "outer";
        use.consented = consented;
        return invoker.call(std::move(use));
    };
    CHECK(call(true).ok());
    CHECK(nested.find("consent_required") != std::string::npos);
    CHECK(call(false).error->code == ErrorCode::consent_required);  // it is not stored
    bench.profile("consent: deny\n");
    ToolUse use;
    use.reference = "outer";
    use.consented = true;
    CHECK(bench.invoker().call(std::move(use)).error->code == ErrorCode::consent_denied);
}

TEST_CASE("a call's own timeout can shorten its time, but not lengthen it") {
    Bench bench;
    bench.add("t");
    bench.profile("defaults: { timeoutMs: 60000 }\n");
    std::chrono::milliseconds left{};
    bench.runtime.handler = [&](const runtime::PlacedInvocation&, loading::CallHost& host) {
        left = std::chrono::duration_cast<std::chrono::milliseconds>(
            *host.deadline() - std::chrono::steady_clock::now());
        return replied("[]");
    };
    for (const auto& [wanted, most] : {std::pair{500, 500}, std::pair{600000, 60000}}) {
        ToolUse use;
        use.reference = "t";
        use.timeout_ms = wanted;
        CHECK(bench.invoker().call(std::move(use)).ok());
        CHECK(left.count() <= most);
    }
    CHECK(left.count() > 500);
}
