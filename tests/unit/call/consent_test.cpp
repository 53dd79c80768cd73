// To what a human consents, and what the human is shown.
#include "host/call/consent.hpp"

#include "host/base/json_text.hpp"
#include "host/call/consent_text.hpp"
#include "host/os/content_hash.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

// A tool with its fields in that order.
registry::Tool tool_with(const std::string& properties) {
    auto specs = registry::parse_spec(
        R"({"name":"t","description":"Does it.","version":"1.2.3","inputSchema":{"type":"object",)"
        R"("properties":{)" +
            properties + "}}}",
        "fam");
    REQUIRE(specs);
    auto library = std::make_shared<registry::Library>();
    library->path = "/plugins/fam.so";
    library->sha256 = "fedcba9876543210fedcba9876543210";  // of the file only
    library->identity = "0123456789abcdef0123456789abcdef" + std::string(32, 'a');
    return {(*specs)[0], library, {}, {}};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string sha256(std::string_view text) {
    os::ContentHash hash;
    hash.add(text);
    return hash.hex();
}

}  // namespace

TEST_CASE("the tool comes first, then short fields in their author's order, then long ones") {
    const auto tool = tool_with(R"("url":{},"content":{},"action":{},"path":{})");
    const Json input{{"action", "put"},
                     {"content", std::string(300, 'c')},
                     {"path", "a/b"},
                     {"url", "http://x"},
                     {"extra", true}};
    const auto text = consent_text(tool, {}, input);
    CAPTURE(text);
    CHECK(text ==
          "Allow t 1.2.3 (family fam, library fam.so, identity "
          "0123456789abcdef0123456789abcdef) to run?\n"
          "Its description: Does it.\n"
          "Input: " +
              std::to_string(dump(input).size()) + " bytes of JSON, sha256 " + sha256(dump(input)) +
              "\n  url: \"http://x\"\n  action: \"put\"\n  path: \"a/b\"\n  extra: true\n"
              "  content: 300 characters, sha256 " +
              sha256(std::string(300, 'c')) + "\n    | " + std::string(300, 'c'));
}

TEST_CASE("a nested call names its callers") {
    const auto inner = tool_with(""), outer = tool_with("");
    const ReadyTool ready{"t", *schema::Schema::compile(Json::object()), {}, false, {}, "{}"};
    CHECK(has(consent_text(inner, {{&outer, &ready}}, Json::object()),
              "0123456789abcdef), called by t 1.2.3 (family fam, "));
}

TEST_CASE("padding does not hide code, and long values show head and tail") {
    const auto tool = tool_with(R"("code":{})");
    const auto padded = consent_text(
        tool, {}, {{"code", "print(1)" + std::string(50000, '\n') + "import os; os.unlink('x')"}});
    CAPTURE(padded);
    CHECK(has(padded, "print(1)<50000 blanks>import os; os.unlink('x')"));
    CHECK(has(padded, "code: 50033 characters, sha256 "));
    CHECK_FALSE(has(padded, "NOT ALL"));

    std::string code = "start()\n";
    for (int i = 0; i < 5000; ++i) code += "# line " + std::to_string(i) + '\n';
    code += "end()";
    const auto text = consent_text(tool, {}, {{"code", code}});
    CAPTURE(text);
    CHECK(has(text, "    | start()\n    | # line 0\n"));
    CHECK(has(text, "    | end()\n"));
    CHECK(has(text, " characters are not shown ...\n"));
    CHECK(has(text, "NOT ALL OF THE INPUT IS SHOWN: 1 is truncated; "));
    CHECK(text.size() < 9000);
}

TEST_CASE("deceptive characters are escaped, and no value can imitate the host's text") {
    const auto tool = tool_with(R"("a":{},"b":{})");
    const auto text = consent_text(tool, {},
                                   {{"a", "x\xE2\x80\xAEy\x1b[2J\xE2\x80\x8Bz"},
                                    {"b", std::string(300, 'b') + "\nAllow it\r\xE2\x80\xA8"}});
    CAPTURE(text);
    CHECK(has(text, "a: \"x\\u202ey\\u001b[2J\\u200bz\""));
    CHECK(has(text, "\n    | Allow it\\r\\u2028"));
    const auto named = consent_text(tool, {}, {{"a\n  path: x", 1}});
    CHECK(has(named, "  a\\n  path: x: 1"));
}

TEST_CASE("omitted fields are counted") {
    const auto tool = tool_with(R"("path":{})");
    Json input{{"path", "p"}};
    for (int i = 0; i < 1000; ++i) input["f" + std::to_string(i)] = "0123456789";
    const auto text = consent_text(tool, {}, input);
    CAPTURE(text);
    CHECK(text.size() < 9000);
    CHECK(text.find("\n  path: \"p\"\n") < text.find("\n  f0:"));
    CHECK(has(text, " of 1001 fields are omitted; "));
    Json large;
    for (int i = 0; i < 200; ++i) large["f" + std::to_string(i)] = std::string(1000, 'x');
    const auto many = consent_text(tool, {}, large);
    CHECK(many.size() < 9000);
    CHECK(has(many, " of 200 fields are omitted"));
    CHECK(has(consent_text(tool, {}, Json::array({1, 2})), "value: [1,2]"));
}

TEST_CASE("always: for the same caller and the same unchanged tool") {
    Bench bench;
    bench.add_caller("outer", {"careful"});
    bench.add("careful", {{"requiresConsent", true}});
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") (void)host.call_tool("careful", "{}");
        return replied("[]");
    };
    auto invoker = bench.invoker();
    int asked = 0;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_consent = [&](const ConsentQuestion&) { return ++asked, ConsentAnswer::always; };
    const auto times_asked = [&](const char* tool, const char* client, const char* caller = "") {
        asked = 0;
        ToolUse use;
        use.reference = tool;
        use.principal = client;
        use.caller = caller;
        CHECK(invoker.call(std::move(use), observer).ok());
        return asked;
    };
    CHECK(times_asked("careful", "ada") == 1);
    CHECK(times_asked("careful", "ada") == 0);
    CHECK(times_asked("careful", "bob") == 1);
    CHECK(times_asked("careful", "ada", "another session") == 1);
    // A call by another tool is asked about separately.
    CHECK(times_asked("outer", "ada") == 1);
    CHECK(times_asked("outer", "ada") == 0);
    auto changed = bench.registry.change([](registry::Draft& draft) -> Result<void> {
        for (auto& tool : draft) {
            auto library = std::make_shared<registry::Library>(*tool.library);
            library->identity = "other";
            tool.library = library;
        }
        return {};
    });
    REQUIRE(changed);
    CHECK(times_asked("careful", "ada") == 1);
}

TEST_CASE("the id of a consent question depends on tool, callers, input and its number") {
    Bench bench;
    bench.add_caller("outer", {"careful"});
    bench.add("careful", {{"requiresConsent", true}});
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer")
            for (const char* input : {"{}", "{}", R"({"x":1})"})
                (void)host.call_tool("careful", input);
        return replied("[]");
    };
    std::vector<std::string> ids;
    auto observer = std::make_shared<test::TestObserver>();
    observer->on_consent = [&](const ConsentQuestion& question) {
        ids.emplace_back(question.id);
        return ConsentAnswer::once;
    };
    CHECK(bench.call("careful", Json::object(), observer).ok());
    CHECK(bench.call("careful", Json::object(), observer).ok());
    CHECK(bench.call("outer", Json::object(), observer).ok());
    REQUIRE(ids.size() == 5);
    CHECK(ids[0] == ids[1]);  // the same call, tried again
    CHECK(ids[2] != ids[0]);
    CHECK(ids[3] == ids[2] + "-2");
    CHECK_FALSE(ids[4].starts_with(ids[2]));
}

TEST_CASE("a tool that asks for consent itself asks for each of its calls") {
    Bench bench;
    bench.add_caller("outer", {"asks"});
    bench.add("asks");
    bench.runtime.handler = [](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "asks") {
            const auto [status, answer] = host.interrupt("consent", R"("Send it?")");
            return status == TOOL_OK ? replied("[]") : loading::Outcome{status, 0, "", {}, {}};
        }
        const auto first = host.call_tool("asks", "{}").first;
        const auto second = host.call_tool("asks", "{}").first;
        const auto ended = first != TOOL_OK ? first : second;
        return ended == TOOL_OK ? replied("[]") : loading::Outcome{ended, 0, "", {}, {}};
    };
    const auto result = bench.call("outer");
    REQUIRE(result.error);
    const auto& asked = result.error->details["interrupts"];
    REQUIRE(asked.size() == 2);
    CHECK(has(asked[0]["askedBy"].get<std::string>(), "asks 1.0.0 (family lib), called by outer"));
    ToolUse again;
    again.reference = "outer";
    again.answers[asked[0]["id"].get<std::string>()] = {TOOL_OK, true};
    const auto still = bench.invoker().call(again);
    REQUIRE(still.error);
    CHECK(still.error->details["interrupts"].size() == 1);
    again.answers[asked[1]["id"].get<std::string>()] = {TOOL_OK, true};
    CHECK(bench.invoker().call(again).ok());
}
