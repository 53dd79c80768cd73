// Limits on what a plugin can make the host keep, send or log.
#include "host/call/bounds.hpp"

#include <spdlog/logger.h>

#include "host/base/json_text.hpp"
#include "host/call/checks.hpp"
#include "host/call/event_log.hpp"
#include "host/call/output_checks.hpp"
#include "host/os/descriptor.hpp"
#include "host/schema/defaults.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

// Compares its constant with the value 2^40 times.
Json costly_schema(const Json& constant) {
    Json schema{{"type", "object"}, {"properties", {{"v", {{"$ref", "#/$defs/0"}}}}}};
    for (int i = 0; i < 40; ++i) {
        const Json next{{"$ref", "#/$defs/" + std::to_string(i + 1)}};
        schema["$defs"][std::to_string(i)]["allOf"] = Json::array({next, next});
    }
    schema["$defs"]["40"]["const"] = constant;
    return schema;
}

const Json kConstant(std::vector<int>(100'000, 7));

}  // namespace

TEST_CASE("checking an input or an output ends with the call") {
    Bench bench;
    bench.add("in", {{"inputSchema", costly_schema(kConstant)}});
    bench.add("out", {{"outputSchema", costly_schema(kConstant)}});
    auto observer = std::make_shared<test::TestObserver>();
    std::stop_source cancel;
    observer->stop.cancel = cancel.get_token();
    bench.runtime.handler = [&](const runtime::PlacedInvocation&, loading::CallHost&) {
        return replied(R"([{"json":)" + dump({{"v", kConstant}}) + "}]");
    };
    const Json input{{"v", kConstant}};
    SUBCASE("by its own cost") {
        CHECK(bench.code("in", input) == "invalid_input");
        CHECK(bench.code("out") == "invalid_output");
    }
    SUBCASE("by its timeout") {
        bench.profile("defaults: { timeoutMs: 1 }\n");
        CHECK(bench.code("in", input) == "timeout");
        CHECK(bench.code("out") == "timeout");
    }
    SUBCASE("by cancellation") {
        cancel.request_stop();
        CHECK(bench.call("in", input, observer).error->code == ErrorCode::cancelled);
    }
    SUBCASE("by its caller, who disconnects") {
        std::stop_source abandon;
        abandon.request_stop();
        observer->stop.abandon = abandon.get_token();
        CHECK(bench.call("in", input, observer).error->code == ErrorCode::cancelled);
        CHECK(bench.call("out", Json::object(), observer).error->code == ErrorCode::cancelled);
    }
}

TEST_CASE("an input that its defaults make too large does not reach the tool") {
    Bench bench;
    Json schema{{"type", "object"}};
    schema["properties"]["list"]["items"]["properties"]["text"]["default"] =
        std::string(900'000, 'd');
    bench.add("fills", {{"inputSchema", schema}});
    int calls = 0;
    bench.runtime.handler = [&](auto&, auto&) { return ++calls, replied("[]"); };
    const Json two{{"list", {Json::object(), Json::object()}}};
    const auto result = bench.call("fills", two);
    CHECK(result.error->code == ErrorCode::input_too_large);
    CHECK(result.error->details["allowed"] == schema::kMaxDefaultBytes);
    CHECK(calls == 0);
    CHECK(bench.code("fills", {{"list", Json::array({Json::object()})}}) == "ok");
}

TEST_CASE("a reply of too many values is not parsed") {
    Bench bench;
    bench.add("t");
    std::string reply = R"([{"json":[1)" + repeated(",[]", 700'000) + "]}]";
    bench.runtime.handler = [&](auto&, auto&) { return replied(reply); };
    const auto values = bench.call("t");
    CHECK(values.error->code == ErrorCode::output_too_large);
    CHECK(values.error->details["allowed"] == kMaxJsonValues);
    reply = R"([{"text":""})" + repeated(R"(,{"text":""})", kMaxBlocks) + "]";
    const auto blocks = bench.call("t");
    CHECK(blocks.error->code == ErrorCode::output_too_large);
    CHECK(blocks.error->details["allowed"] == kMaxBlocks);
}

TEST_CASE("a reply of too many bytes is not parsed") {
    Bench bench;
    bench.add("t");
    const std::string reply = R"([{"text":")" + std::string(loading::kMaxReplyBytes, 'x') + "\"}]";
    bench.runtime.handler = [&](auto&, auto&) { return replied(reply); };
    const auto result = bench.call("t");
    REQUIRE(result.error);
    CHECK(result.error->code == ErrorCode::output_too_large);
    CHECK(result.error->details ==
          Json{{"bytes", reply.size()}, {"allowed", loading::kMaxReplyBytes}});
}

TEST_CASE("messages of failures and refusals are cut") {
    Bench bench;
    bench.add("t");
    loading::Outcome outcome{TOOL_FAILED, 0, "", {}, {}};
    bench.runtime.handler = [&](auto&, auto&) { return outcome; };
    const loading::Outcome::Text said{std::string(1000, 'k'), repeated("\u00fc", 10'000)};
    for (const auto& [status, key] :
         {std::pair{tool_status{TOOL_FAILED}, "code"}, {tool_status{TOOL_DENIED}, "reason"}}) {
        outcome = {status, 0, "", said, said};
        const auto result = bench.call("t");
        REQUIRE(result.error);
        CHECK(result.error->message == repeated("\u00fc", kMaxMessageChars));
        CHECK(result.error->details[key] == std::string(kMaxKeyBytes, 'k'));
    }
}

TEST_CASE("a nested call with too much input is refused before it is parsed") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    std::string input, reference = "inner";
    std::string answered;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") answered = host.call_tool(reference, input).second;
        return replied("[]");
    };
    const auto refusal = [&] {
        CHECK(bench.code("outer") == "ok");
        const Json error = Json::parse(answered)["error"];
        CHECK(error["code"] == "input_too_large");
        return error["message"].get<std::string>();
    };
    // Not refused by maxInputBytes, which is checked after parsing.
    input = R"({"a":[1)" + repeated(",[]", 700'000) + "]}";
    CHECK(refusal() == "the input of 'inner': it has more than 1000000 values");
    input = R"({"a":")" + std::string(loading::kMaxReplyBytes, 'x') + "\"}";
    CHECK(refusal() == "the input of 'inner': it has " + std::to_string(input.size()) + " bytes; " +
                           std::to_string(loading::kMaxReplyBytes) + " are allowed");
    input = "{}";
    reference = std::string(1'000'000, 'r');
    CHECK(bench.code("outer") == "ok");
    CHECK(Json::parse(answered)["error"]["code"] == "unknown_tool");
    CHECK(answered.size() < 5000);
}

TEST_CASE("log lines are limited, each and in total") {
    Bench bench;
    bench.add_caller("outer", {"inner"});
    bench.add("inner");
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") (void)host.call_tool("inner", "{}");
        for (int i = 0; i < 1000; ++i) host.log(TOOL_LOG_INFO, std::string(100'000, 'l'));
        return replied("[]");
    };
    std::vector<std::string> lines;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_log = [&](int, std::string_view line) { lines.emplace_back(line); };
    CHECK(bench.call("outer", Json::object(), observer).ok());
    std::size_t bytes = 0;
    for (const auto& line : lines) bytes += line.size();
    CHECK(bytes <= kMaxLoggedBytes);
    CHECK(lines.front().size() == kMaxLogLineBytes);
    CHECK(lines.front().ends_with("l... [100000 bytes]"));
    CHECK(lines.back().find("the rest is dropped") != std::string::npos);
}

TEST_CASE("excess events are dropped and reported") {
    Bench bench;
    bench.add("t");
    std::size_t size = 0;
    int times = 0;
    bench.runtime.handler = [&](const runtime::PlacedInvocation&, loading::CallHost& host) {
        for (int i = 0; i < times; ++i) host.emit("text", '"' + std::string(size, 'e') + '"');
        return replied("[]");
    };
    std::size_t emitted = 0;
    std::vector<std::string> lines;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_emit = [&](auto, auto, std::string_view json) { emitted += json.size(); };
    observer->on_log = [&](int, std::string_view line) { lines.emplace_back(line); };
    size = kMaxEmitBytes;
    times = 1;
    CHECK(bench.call("t", Json::object(), observer).ok());
    CHECK(emitted == 0);
    CHECK(lines.size() == 1);
    size = kMaxEmitBytes - 2;
    times = 100;
    CHECK(bench.call("t", Json::object(), observer).ok());
    CHECK(emitted > kMaxEmittedBytes / 2);
    CHECK(emitted <= kMaxEmittedBytes);
    CHECK(lines.size() == 2);
    // Each costs a message, however short it is.
    emitted = size = 0;
    times = 200'000;
    CHECK(bench.call("t", Json::object(), observer).ok());
    CHECK(emitted / 2 <= kMaxEmittedBytes / kEnvelopeBytes);
}

TEST_CASE("a question that is too large is not asked, and the number of questions is limited") {
    Bench bench;
    bench.add("t");
    int asked = 0;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_client_can = [](std::string_view) { return true; };
    observer->on_ask = [&](const Question&) { return ++asked, std::optional(Answer{TOOL_OK, 1}); };
    bench.runtime.handler = [&](const runtime::PlacedInvocation&, loading::CallHost& host) {
        const std::string large = '"' + std::string(kMaxQuestionBytes, 'q') + '"';
        CHECK(host.interrupt("q", large).first == TOOL_BAD_INPUT);
        CHECK(host.interrupt(large, "1").first == TOOL_BAD_INPUT);
        const std::string params = R"({"p":")" + std::string(kMaxClientRequestBytes, 'q') + "\"}";
        CHECK(host.ask_client("sampling", params).first == TOOL_BAD_INPUT);
        CHECK(host.ask_client(large, "{}").first == TOOL_BAD_INPUT);
        CHECK(asked == 0);
        for (std::size_t i = 0; i < kMaxQuestions; ++i)
            CHECK(host.interrupt("q", std::to_string(i)).first == TOOL_OK);
        CHECK(host.interrupt("q", "0").first == TOOL_BAD_INPUT);
        return replied("[]");
    };
    CHECK(bench.call("t", Json::object(), observer).ok());
}

TEST_CASE("binary content is complete or an error") {
    ReadyTool ready{
        "family.t@1.0.0", *schema::Schema::compile(Json::object()), {}, false, {}, "{}"};
    ready.limits.max_output_bytes = 6;
    const Json file{{"format", "png"}, {"source", {{"bytes", "AAAAAAAA"}}}};
    const ContentBlock blob{ContentKind::resource, {{"uri", "a:b"}, {"blob", "AAAA"}}};
    for (const auto kind : {ContentKind::image, ContentKind::audio, ContentKind::document}) {
        CAPTURE(kind);
        Content fits{{kind, file}};
        CHECK(limit_output(ready, fits).has_value());
        Content large{{kind, file}, blob};
        const auto refused = limit_output(ready, large);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::output_too_large);
        CHECK(refused.error().message.ends_with(
            "Request less output, or raise policies.t.maxOutputBytes"));
        CHECK(refused.error().details == Json{{"bytes", 9}, {"allowed", 6}});
    }
    // Its description counts as text.
    ready.limits.max_output_chars = 2000;
    Content link{{ContentKind::resource_link, {{"uri", "a:b"}, {"name", "n"}}}};
    CHECK(limit_output(ready, link).has_value());
    link[0].value["title"] = std::string(3000, 't');
    CHECK(limit_output(ready, link).error().code == ErrorCode::output_too_large);
}

TEST_CASE("structured output is measured as the JSON text that a client gets") {
    ReadyTool ready{
        "family.t@1.0.0", *schema::Schema::compile(Json::object()), {}, false, {}, "{}"};
    const std::pair<const char*, std::size_t> rows[] = {
        {R"({})", 2},
        {R"([])", 2},
        {R"([1,-20,3.5,1e300,true,null])", 28},
        {R"({"a":{"b":[[],{}]},"c":"d"})", 27},
        {R"("tab\t quote\" slash\\ /")", 25},
        {R"("\u0001\u001f\u007f")", 15},
        {R"("ä€😀")", 5},
    };
    for (const auto& row : rows) {
        const auto* text = row.first;
        const auto chars = row.second;
        CAPTURE(text);
        Content content{{ContentKind::json, Json::parse(text)}};
        ready.limits.max_output_chars = chars;
        CHECK(limit_output(ready, content).has_value());
        ready.limits.max_output_chars = chars - 1;
        const auto refused = limit_output(ready, content);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().details["chars"] == chars);
    }
}

TEST_CASE("an input is written only where its text is not what the tool gets") {
    Bench bench;
    bench.add("t", {{"inputSchema",
                     {{"properties", {{"n", {{"type", "integer"}}}, {"d", {{"default", 1}}}}}}}});
    bench.profile("defaults: { coerceInput: true }\n");
    auto invoker = bench.invoker();
    const auto view = invoker.view();
    const auto& tool = *view->catalogue().resolve("t").value();
    const auto& ready = *view->ready(tool).value();
    const auto text_of = [&](Json input, bool is_canonical = true) {
        ToolUse use;
        use.input = std::move(input);
        use.input_text = "as it was";
        use.is_canonical = is_canonical;
        CHECK(check_input(ready, tool, use, {}));
        return use.input_text;
    };
    CHECK(text_of({{"n", 5}, {"d", 2}}) == "as it was");
    CHECK(text_of({{"n", 5}, {"d", 2}}, false) == R"({"d":2,"n":5})");
    CHECK(text_of({{"n", 5}}) == R"({"d":1,"n":5})");
    CHECK(text_of({{"n", "5"}, {"d", 2}}) == R"({"d":2,"n":5})");
}

TEST_CASE("events and the limit of an input have it as it was sent") {
    Bench bench;
    bench.add("t", {{"inputSchema",
                     {{"properties", {{"b", {{"type", "integer"}}}, {"d", {{"default", 1}}}}}}}});
    bench.profile("redact: [pass]\npolicies: { t: { maxInputBytes: 20 } }\n");
    auto log = open_event_log(bench.folder / "e.jsonl");
    REQUIRE(log);
    bench.options.events = Events(*log);
    std::string got;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& invocation, auto&) {
        got = invocation.input;
        return replied("[]");
    };
    const auto shown = [&](Json input, std::string text) {
        ToolUse use;
        use.reference = "t";
        use.input = std::move(input);
        use.input_text = std::move(text);
        got.clear();
        if (!bench.invoker().call(std::move(use)).ok()) got = "refused";
        (*log)->flush();
        std::string lines;
        REQUIRE(os::read_file(bench.folder / "e.jsonl", 1u << 20, lines));
        lines.erase(0, lines.rfind("hook.tool.before"));
        const auto begin = lines.find("\"input\":") + 8;
        return lines.substr(begin, lines.find('\n') - begin - 1);
    };
    CHECK(shown({{"b", 2}, {"a", 1}}, R"({"b":2,"a":1e0})") == R"({"b":2,"a":1e0})");
    CHECK(got == R"({"a":1,"b":2,"d":1})");
    CHECK(shown({{"b", 2}}, "") == R"({"b":2})");
    CHECK(got == R"({"b":2,"d":1})");
    CHECK(shown({{"a", "é"}}, R"({"a":"\u00e9\u00e9\u00e9"})") == R"({"a":"\u00e9\u00e9\u00e9"})");
    CHECK(got == "refused");  // 24 bytes as it was sent
    CHECK(shown({{"pass", 2}}, R"({"pass":2})") == R"({"pass":"[redacted]"})");
    CHECK(got == R"({"d":1,"pass":2})");
}

TEST_CASE("an output that is refused is not sent after all") {
    Bench bench;
    bench.add("t", {{"outputSchema", {{"type", "object"}}}});
    std::string reply = R"([{"json":")" + std::string(1'000'000, 'o') + "\"}]";
    bench.runtime.handler = [&](auto&, auto&) { return replied(reply); };
    for (const auto* block : {"json", "text"}) {
        reply.replace(3, 4, block);
        const auto result = bench.call("t");
        CHECK(result.error->code == ErrorCode::invalid_output);
        CHECK(result.error->details["outputBytes"] >= 1'000'000);
        const auto& shown = result.error->details["output"].get_ref<const std::string&>();
        CHECK(shown.size() <= kMaxRefusedOutputBytes);
        CHECK(result.text().size() < 10'000);
    }
}

TEST_CASE("an error is limited in size, whatever it contains") {
    Error error{ErrorCode::tool_failed, std::string(1'000'000, 'm'), Json::object()};
    error.details["text"] = repeated("é", 100'000);
    error.details["list"] = std::vector<std::string>(100'000, "item");
    error.details["objects"] = std::vector<Json>(100'000, Json{{"a", Json::object()}});
    error.details[std::string(100'000, 'k')] = 1;
    bound_error(error);
    CHECK(error.message.ends_with("... [1000000 bytes]"));
    CHECK(dump(error.details).size() < 4 * kMaxDetailsBytes);
    CHECK(error.details["list"].size() == kMaxDetailItems);
    const auto text = error.details["text"].get<std::string>();
    CHECK(find_invalid_utf8(text) == std::string::npos);
    CHECK(text.ends_with("... [200000 bytes]"));
    Error small{ErrorCode::tool_failed, "m", {{"a", {1, "b"}}}};
    bound_error(small);
    CHECK(small.details == Json{{"a", {1, "b"}}});
}

TEST_CASE("denial reasons are counted by name only if they are few and plain") {
    ToolStats stats;
    const Error denied{ErrorCode::policy_denied, "", {}};
    for (int i = 0; i < 1000; ++i) stats.count(&denied, "reason_" + std::to_string(i), 1);
    for (const char* odd : {"two words", "line\nbreak", "\xff", "\"quoted\""})
        stats.count(&denied, odd, 1);
    stats.count(&denied, std::string(1000, 'r'), 1);
    stats.count(&denied, "reason_0", 1);
    const auto denials = stats.denials();
    CHECK(denials.size() <= 33);
    CHECK(denials.at("reason_0") == 2);
    CHECK(denials.at("other") == 1000 - 32 + 5);
}
