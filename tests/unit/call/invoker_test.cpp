#include "host/call/invoker.hpp"

#include <thread>

#include "host/base/json_text.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

TEST_CASE("a call runs all steps") {
    Bench bench;
    bench.add("t", {{"policySchema", {{"properties", {{"limit", {{"default", 3}}}}}}},
                    {"inputSchema", {{"properties", {{"n", {{"default", 7}}}}}}}});
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost&) {
        CHECK(in.tool == "t");
        CHECK(in.input == R"({"n":7})");
        CHECK(Json::parse(in.policy)["limit"] == 3);
        CHECK_FALSE(in.use_id.empty());
        return replied(R"([{"text":"hi"}])");
    };
    auto result = bench.call("native:lib.t");
    CHECK(result.ok());
    CHECK(result.json() == Json{{"toolUseId", result.use_id},
                                {"status", "success"},
                                {"content", {{{"text", "hi"}}}}});
}

TEST_CASE("the outcome of a plugin is checked by the ABI's rules") {
    using loading::Outcome;
    struct Row {
        const char* what;
        Outcome outcome;
        const char *code, *mentions;
    };
    Bench bench;
    bench.add("t");
    const Outcome::Text said{"key", "the words"};
    for (const auto& [what, outcome, code, mentions] : {
             Row{"no reply", {TOOL_OK, 0, "", {}, {}}, "invalid_reply", "without a reply"},
             Row{"two", {TOOL_OK, 2, "[]", {}, {}}, "invalid_reply", "more than once"},
             Row{"no content", {TOOL_OK, 1, "{}", {}, {}}, "invalid_reply", "array"},
             Row{"failed", {TOOL_FAILED, 0, "", said, {}}, "tool_failed", "the words"},
             Row{"silent", {TOOL_FAILED, 0, "", {}, {}}, "tool_failed", "without a message"},
             Row{"bad input", {TOOL_BAD_INPUT, 0, "", said, {}}, "invalid_input", "the words"},
             Row{"denied", {TOOL_DENIED, 0, "", {}, said}, "policy_denied", "the words"},
             Row{"cancelled", {TOOL_CANCELLED, 0, "", {}, {}}, "cancelled", "cancelled"},
             Row{"unsupported", {TOOL_UNSUPPORTED, 0, "", {}, {}}, "tool_failed", "support"},
             Row{"unasked", {TOOL_INTERRUPTED, 0, "", {}, {}}, "invalid_reply", "without asking"},
             Row{"status", {42, 0, "", {}, {}}, "invalid_reply", "42"},
         }) {
        const auto& shown_what = what;
        CAPTURE(shown_what);
        bench.runtime.handler = [&, kept = outcome](auto&, auto&) { return kept; };
        auto result = bench.call("t");
        REQUIRE_FALSE(result.ok());
        CHECK(info(result.error->code).name == code);
        CHECK(result.error->message.find(mentions) != std::string::npos);
        CHECK(result.content[0].value == result.error->message);
    }
}

TEST_CASE("steps refuse in order") {
    Bench bench;
    bench.runtime.handler = [](auto&, auto&) { return replied(R"([{"json":{"n":"x"}}])"); };
    bench.add("typed", {{"inputSchema", {{"type", "object"}, {"required", {"n"}}}}});
    bench.add("old", {{"deprecated", "use new"}, {"requiresConsent", true}});
    bench.add("needy", {{"requires", {{"tool:nothing", "*"}}}});
    bench.add("careful", {{"requiresConsent", true}});
    bench.add("promises", {{"outputSchema",
                            {{"type", "object"}, {"properties", {{"n", {{"type", "integer"}}}}}}}});
    CHECK(bench.code("nothing") == "unknown_tool");
    CHECK(bench.code("typed@7") == "version_not_found");
    CHECK(bench.code("old") == "tool_deprecated");
    CHECK(bench.code("needy") == "requirement_missing");
    CHECK(bench.code("typed") == "invalid_input");
    CHECK(bench.code("typed", 5) == "invalid_input");
    CHECK(bench.code("typed", {{"n", 1}}) == "ok");
    CHECK(bench.code("careful") == "consent_required");
    CHECK(bench.code("promises") == "invalid_output");
    bench.runtime.handler = [](auto&, auto&) { return replied(R"([{"text":"x"}])"); };
    CHECK(bench.code("promises") == "invalid_output");

    bench.options.rules.user.widened = {"old"};
    bench.options.bypass_consent = true;
    CHECK(bench.code("old") == "ok");
    CHECK(bench.code("careful") == "ok");
}

TEST_CASE(
    "an interrupt without an answer is a result with its id; with the answer the call "
    "continues") {
    Bench bench;
    bench.add("asks");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        auto [status, answer] = host.interrupt("sure", R"({"why":1})");
        if (status != TOOL_OK) return loading::Outcome{status, 0, "", {}, {}};
        return replied(R"([{"json":)" + answer + "}]");
    };
    auto result = bench.call("asks");
    REQUIRE_FALSE(result.ok());
    CHECK(result.error->code == ErrorCode::interrupted);
    const Json asked = result.error->details["interrupt"];
    CHECK(asked["name"] == "sure");
    CHECK(asked["reason"]["why"] == 1);

    Invoker invoker(bench.registry, bench.runtime, {});
    ToolUse again;
    again.reference = "asks";
    again.attempt = 1;
    again.answers[asked["id"].get<std::string>()] = {TOOL_OK, true};
    CHECK(invoker.call(std::move(again)).content[0].value == true);

    auto observer = std::make_shared<test::TestObserver>();
    observer->on_ask = [](const Question& question) {
        CHECK(question.tool == "asks@1.0.0");
        CHECK(question.name == "sure");
        return Answer{TOOL_OK, "now"};
    };
    CHECK(bench.call("asks", Json::object(), observer).content[0].value == "now");
}

TEST_CASE("nested calls pass the same steps, and have a maximum depth") {
    Bench bench;
    bench.add_caller("outer", {"inner", "outer"});
    bench.add("inner", {{"inputSchema", {{"type", "object"}, {"required", {"n"}}}}});
    std::string nested;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "inner") return replied(R"([{"text":"in"}])");
        auto [ok, text] = host.call_tool("inner", R"({"n":1})");
        CHECK(ok == TOOL_OK);
        auto [bad, refused] = host.call_tool("inner", "{}");
        CHECK(bad == TOOL_FAILED);
        nested = refused;
        auto [garbage, why] = host.call_tool("inner", "{");
        CHECK(garbage == TOOL_FAILED);
        CHECK(why.find("not JSON") != std::string::npos);
        return replied("[{\"json\":" + text + "}]");
    };
    auto result = bench.call("outer");
    REQUIRE(result.ok());
    CHECK(result.content[0].value["content"][0]["text"] == "in");
    CHECK(parse_json(nested)->at("error").at("code") == "invalid_input");

    // A tool that calls itself through another one, and an endless chain of tools.
    std::string last;
    bench.runtime.handler = [&](auto&, loading::CallHost& host) {
        last = host.call_tool("outer", "{}").second;
        return replied("[]");
    };
    CHECK(bench.call("outer").ok());
    CHECK(parse_json(last)->at("error").at("details").at("path") ==
          Json{"outer@1.0.0", "outer@1.0.0"});
    for (int i = 0; i < 20; ++i)
        bench.add_caller(("chain" + std::to_string(i)).c_str(), {"chain" + std::to_string(i + 1)});
    int deepest = 0;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        const int at = std::stoi(std::string(in.tool.substr(5)));
        deepest = std::max(deepest, at);
        auto text = host.call_tool("chain" + std::to_string(at + 1), "{}").second;
        if (at == deepest) last = text;
        return replied("[]");
    };
    CHECK(bench.call("chain0").ok());
    CHECK(deepest == static_cast<int>(kMaxDepth));
    CHECK(parse_json(last)->at("error").at("code") == "call_depth_exceeded");
}

TEST_CASE("a nested call has the same caller and state") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    Json seen = Json::array();
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        seen.push_back({in.tool, in.caller, *parse_json(in.state)});
        if (in.tool == "outer") CHECK(host.call_tool("inner", "{}").first == TOOL_OK);
        return replied("[]");
    };
    ToolUse use;
    use.reference = "outer";
    use.caller = "somebody";
    use.state = R"({"n":1})";
    CHECK(bench.invoker().call(std::move(use)).ok());
    const Json state{{"n", 1}};
    CHECK(seen == Json::array({{"outer", "somebody", state}, {"inner", "somebody", state}}));
}

TEST_CASE("an observer receives events and logs, and can cancel") {
    Bench bench;
    bench.add("t");
    bench.runtime.handler = [](auto&, loading::CallHost& host) {
        host.emit("progress", "1");
        host.log(TOOL_LOG_WARN, "careful");
        return host.cancelled() ? loading::Outcome{TOOL_CANCELLED, 0, "", {}, {}} : replied("[]");
    };
    std::string seen;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_emit = [&](auto, auto kind, auto json) {
        seen += std::string(kind) + std::string(json);
    };
    observer->on_log = [&](int level, auto text) {
        seen += std::to_string(level) + std::string(text);
    };
    CHECK(bench.call("t", Json::object(), observer).ok());
    CHECK(seen == "progress12careful");

    // Cancelled while it runs: its reply is ignored.
    std::stop_source cancel;
    observer->stop.cancel = cancel.get_token();
    bench.runtime.handler = [&](auto&, loading::CallHost& host) {
        cancel.request_stop();
        CHECK(host.cancelled());
        return replied("[]");
    };
    CHECK(bench.call("t", Json::object(), observer).error->code == ErrorCode::cancelled);
    // Cancelled before: it does not start.
    bench.runtime.handler = [](auto&, auto&) -> loading::Outcome {
        FAIL("it started");
        return {};
    };
    CHECK(bench.call("t", Json::object(), observer).error->code == ErrorCode::cancelled);
}

TEST_CASE("calls from many threads while the catalogue changes") {
    Bench bench;
    bench.add("t", {{"inputSchema", {{"type", "object"}, {"required", {"n"}}}}});
    bench.runtime.handler = [](auto&, auto&) { return replied("[]"); };
    Invoker invoker(bench.registry, bench.runtime, {});
    std::atomic<int> wrong{0};
    {
        std::vector<std::jthread> callers;
        for (int i = 0; i < 4; ++i)
            callers.emplace_back([&] {
                ToolUse use;
                use.reference = "t";
                use.input = {{"n", 1}};
                for (int k = 0; k < 300; ++k)
                    if (!invoker.call(use).ok()) ++wrong;
            });
        for (int i = 0; i < 50; ++i) bench.add(("x" + std::to_string(i)).c_str());
    }
    CHECK(wrong == 0);
}
