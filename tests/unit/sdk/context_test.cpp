// The Context of a running tool, with hosts of all and of few functions.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <toolhost/plugin.hpp>

#include "fake_host.hpp"

using namespace toolhost;
using nlohmann::json;
using Said = std::pair<std::string, std::string>;

namespace {

// A context for a request, without a library.
struct Running {
    explicit Running(fake::Request given = {}, tool_host with = fake::host())
        : request(std::move(given)), abi(request.abi()), host(with), context(abi, host, &call) {}
    fake::Request request;
    tool_request abi;
    tool_host host;
    tool_call call;
    Context context;
};

struct Policy {
    std::vector<std::string> hosts = {"localhost"};
    int limit = 3;
};

}  // namespace

TEST_CASE("fields of the request") {
    Running run(
        {.tool = "t",
         .policy = R"({"limit": 5, "timeoutMs": 1, "workspace": "/w", "maxOutputChars": 9})",
         .state = R"({"u": 1})",
         .use_id = "use-9",
         .version = "1.2.0",
         .caller = "ann",
         .attempt = 2});
    CHECK(run.context.tool_name() == "t");
    CHECK(run.context.use_id() == "use-9");
    CHECK(run.context.version() == "1.2.0");
    CHECK(run.context.caller() == "ann");
    CHECK(run.context.attempt() == 2);
    CHECK(run.context.state() == json{{"u", 1}});
    CHECK(run.context.policy().at("limit") == 5);
    CHECK(run.context.policy<Policy>().limit == 5);
    CHECK(run.context.policy<Policy>().hosts.at(0) == "localhost");
    CHECK(run.context.workspace() == "/w");
    CHECK(run.context.max_output_chars() == 9);
    CHECK_FALSE(run.context.remaining());
}

TEST_CASE("a host of ABI 1.0 provides neither version nor caller") {
    const fake::Request request{.version = "1.2.0", .caller = "ann"};
    auto abi = request.abi();
    abi.struct_size = offsetof(tool_request, version);
    const auto host = fake::host();
    tool_call call;
    const Context context(abi, host, &call);
    CHECK(context.version().empty());
    CHECK(context.caller().empty());
}

TEST_CASE("missing policy and state are empty; an invalid policy is the tool's failure") {
    Running none({.policy = "", .state = ""});
    CHECK(none.context.policy() == json::object());
    CHECK(none.context.workspace() == std::filesystem::current_path());
    CHECK_FALSE(none.context.max_output_chars());
    CHECK(none.context.state() == json::object());
    CHECK(none.context.policy<Policy>().limit == 3);
    Running wrong({.policy = R"({"limit": "x"})"});
    CHECK_THROWS_AS((void)wrong.context.policy<Policy>(), ToolError);
    tool_call call;
    CHECK(fake::invoke({.tool = "limit", .policy = R"({"limit": "x"})"}, call) == TOOL_FAILED);
    CHECK(call.failures.at(0).second.starts_with("policy at /limit: expected an integer"));
}

TEST_CASE("the remaining time does not become negative") {
    Running run({.budget_ms = 60000});
    CHECK(run.context.remaining() <= std::chrono::milliseconds(60000));
    CHECK(run.context.remaining() > std::chrono::milliseconds(50000));
    CHECK(Running({.budget_ms = 0}).context.remaining() == std::chrono::milliseconds(0));
}

TEST_CASE("streaming and logging") {
    Running run;
    CHECK(run.context.progress(3, 10, "third"));
    CHECK(run.context.progress(4));
    CHECK(run.context.text("part"));
    CHECK(run.context.emit("custom", {{"a", 1}}));
    CHECK(run.call.emitted ==
          std::vector<Said>{{"progress", R"({"message":"third","progress":3.0,"total":10.0})"},
                            {"progress", R"({"progress":4.0})"},
                            {"text", R"("part")"},
                            {"custom", R"({"a":1})"}});
    run.context.debug("d");
    run.context.info("i");
    run.context.warn("w");
    run.context.error("e");
    CHECK(run.call.logged ==
          std::vector<std::pair<std::int32_t, std::string>>{{TOOL_LOG_DEBUG, "d"},
                                                            {TOOL_LOG_INFO, "i"},
                                                            {TOOL_LOG_WARN, "w"},
                                                            {TOOL_LOG_ERROR, "e"}});
    CHECK_FALSE(run.context.cancelled());
    run.call.is_cancelled = true;
    CHECK(run.context.cancelled());
    CHECK_FALSE(run.context.text("more"));
    CHECK_THROWS_AS(run.context.stop_if_cancelled(), Cancelled);
    CHECK(run.context.extension("toolhost.known/1") != nullptr);
    CHECK(run.context.extension("toolhost.unknown/1") == nullptr);
}

TEST_CASE("calling another tool") {
    Running run;
    run.call.call_result = R"({"status": "success", "content": [
        {"text": "a"}, {"json": {"n": 1}}, {"text": "b"}]})";
    const ToolResult good = run.context.call_tool("native:x", Policy{});
    CHECK(run.call.called.at(0) == Said{"native:x", R"({"hosts":["localhost"],"limit":3})"});
    CHECK(good.ok());
    CHECK(good.text() == "a\nb");
    CHECK(good.json() == json{{"n", 1}});
    CHECK(good.content().size() == 3);
    CHECK(good.or_throw().code() == "");

    run.call.call_status = TOOL_FAILED;
    run.call.call_result = R"({"status": "error", "content": [],
        "error": {"code": "timeout", "message": "too slow"}})";
    const ToolResult bad = run.context.call_tool("x", json::object());
    CHECK_FALSE(bad.ok());
    CHECK(bad.code() == "timeout");
    CHECK(bad.message() == "too slow");
    CHECK(bad.json().is_null());
    CHECK_THROWS_WITH_AS((void)bad.or_throw(), "too slow", ToolError);

    run.call.call_result = "";
    CHECK_THROWS_AS((void)run.context.call_tool("x", json::object()), ToolError);
    run.call.call_status = TOOL_INTERRUPTED;
    CHECK_THROWS_AS((void)run.context.call_tool("x", json::object()), Interrupted);
    run.call.call_status = TOOL_CANCELLED;
    CHECK_THROWS_AS((void)run.context.call_tool("x", json::object()), Cancelled);
}

TEST_CASE("asking a human") {
    Running run;
    run.call.answer = R"({"limit": 9})";
    CHECK(run.context.interrupt("approve", {{"why", 1}}) == json{{"limit", 9}});
    CHECK(run.call.asked.at(0) == Said{"approve", R"({"why":1})"});
    struct Answer {
        int limit;
    };
    CHECK(run.context.interrupt<Answer>("approve", nullptr).limit == 9);
    run.call.ask_status = TOOL_UNSUPPORTED;
    CHECK_THROWS_AS((void)run.context.interrupt("approve", nullptr), ToolError);
}

TEST_CASE("asking the caller's client") {
    Running run;
    run.call.answer = R"({"content": {"text": "hi"}, "roots": [{"uri": "file:///a"}]})";
    CHECK(run.context.sample({{"maxTokens", 1}})["content"]["text"] == "hi");
    CHECK(run.call.asked.at(0) == Said{"sampling", R"({"maxTokens":1})"});
    CHECK(run.context.roots()[0]["uri"] == "file:///a");
    run.call.ask_status = TOOL_INTERRUPTED;
    CHECK_THROWS_AS((void)run.context.sample(json::object()), Interrupted);
    CHECK_FALSE(run.context.try_sample(json::object()));
    CHECK_FALSE(run.context.try_roots());
    run.call.ask_status = TOOL_DENIED;
    CHECK_THROWS_AS((void)run.context.sample(json::object()), toolhost::Declined);
    run.call.ask_status = TOOL_UNSUPPORTED;
    CHECK_THROWS_AS((void)run.context.sample(json::object()), toolhost::Unsupported);
    CHECK_THROWS_AS((void)run.context.try_roots(), toolhost::Unsupported);
    run.call.ask_status = TOOL_BAD_INPUT;
    CHECK_THROWS_AS((void)run.context.sample(json::object()), ToolError);
}

TEST_CASE("unsupported questions end the call, unless the tool handles them") {
    const toolhost::Library library(toolhost::tool("needs", "d", [](toolhost::Context& c) {
        return c.sample({{"a", 1}});
    }));
    const fake::Request request{.tool = "needs"};
    const tool_request abi = request.abi();
    tool_host host = fake::host();
    host.extension = [](const tool_host*, const char*) -> const void* { return nullptr; };
    tool_call call;
    CHECK(toolhost::detail::invoke_guarded(library, &abi, &host, &call) == TOOL_UNSUPPORTED);
    CHECK(call.failures.empty());
}

TEST_CASE("if no human can be asked, the tool ends at once, even if it catches exceptions") {
    tool_call waiting;
    waiting.ask_status = TOOL_INTERRUPTED;
    CHECK(fake::invoke({.tool = "ask"}, waiting) == TOOL_INTERRUPTED);
    CHECK(waiting.replies.empty());
    CHECK(waiting.failures.empty());
    tool_call answered;
    answered.answer = "true";
    CHECK(fake::invoke({.tool = "ask", .attempt = 1}, answered) == TOOL_OK);
    CHECK(answered.content().at(0).at("text") == "answered true");
}

TEST_CASE("a declined question ends the tool, unless it handles that") {
    Running run;
    for (const tool_status status : {TOOL_DENIED, TOOL_CANCELLED}) {
        run.call.ask_status = status;
        try {
            (void)run.context.interrupt("approve", nullptr);
            FAIL("it went on");
        } catch (const Declined& declined) {
            CHECK(declined.question == "approve");
            CHECK(declined.dismissed == (status == TOOL_CANCELLED));
        }
        tool_call call;
        call.ask_status = status;
        CHECK(fake::invoke({.tool = "ask"}, call) == status);
        CHECK(call.denials.empty());
        CHECK(call.replies.empty());
    }
    // Cancellation is not a declined question.
    run.call.is_cancelled = true;
    CHECK_THROWS_AS((void)run.context.interrupt("approve", nullptr), Cancelled);
}

TEST_CASE("several questions are asked before the tool waits") {
    tool_call waiting;
    waiting.ask_status = TOOL_INTERRUPTED;
    CHECK(fake::invoke({.tool = "ask_twice"}, waiting) == TOOL_INTERRUPTED);
    CHECK(waiting.asked == std::vector<Said>{{"first", "null"}, {"second", "null"}});
    tool_call answered;
    answered.answer = "1";
    CHECK(fake::invoke({.tool = "ask_twice", .attempt = 1}, answered) == TOOL_OK);
    CHECK(answered.content().at(0).at("text") == "11");
}

TEST_CASE("a shorter host is read no further than its struct_size") {
    // Only this many bytes exist, so that a sanitizer detects any read beyond them.
    const std::size_t size = offsetof(tool_host, emit);
    const tool_host whole = fake::host();
    const std::unique_ptr<std::max_align_t[]> bytes(
        new std::max_align_t[(size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)]);
    std::memcpy(bytes.get(), &whole, size);
    const auto short_size = static_cast<std::uint32_t>(size);
    std::memcpy(bytes.get(), &short_size, sizeof short_size);
    const auto& host = *reinterpret_cast<const tool_host*>(bytes.get());

    const fake::Request given{};
    const tool_request request = given.abi();
    tool_call call;
    Context context(request, host, &call);
    CHECK(context.progress(1));
    CHECK(context.text("x"));
    CHECK_FALSE(context.cancelled());
    context.info("nobody listens");
    CHECK(context.extension("toolhost.known/1") == nullptr);
    CHECK_THROWS_AS((void)context.call_tool("x", json::object()), ToolError);
    CHECK_THROWS_AS((void)context.interrupt("x", nullptr), ToolError);
    CHECK(call.emitted.empty());
    CHECK(call.logged.empty());
    // Its existing functions still work.
    CHECK(fake::invoke({.tool = "add", .input = R"({"a": 1, "b": 1})"}, call, host) == TOOL_OK);
    CHECK(call.replies.size() == 1);
}

TEST_CASE("a null function pointer counts as missing") {
    tool_host host = fake::host();
    host.emit = nullptr;
    host.log = nullptr;
    host.call_tool = nullptr;
    Running run({}, host);
    CHECK(run.context.progress(1));
    run.call.is_cancelled = true;
    CHECK_FALSE(run.context.progress(1));
    run.context.info("x");
    CHECK_THROWS_AS((void)run.context.call_tool("x", json::object()), ToolError);
    host.reply = nullptr;
    tool_call call;
    CHECK(fake::invoke({.tool = "nothing"}, call, host) == TOOL_UNSUPPORTED);
}

TEST_CASE("a shorter request is also read no further than its struct_size") {
    const fake::Request given{.tool = "add", .use_id = "use-9", .attempt = 4};
    tool_request request = given.abi();
    request.struct_size = offsetof(tool_request, use_id);
    const tool_host host = fake::host();
    tool_call call;
    Context context(request, host, &call);
    CHECK(context.tool_name() == "add");
    CHECK(context.attempt() == 4);
    CHECK(context.use_id() == "");
    CHECK(context.policy() == json::object());
    CHECK_FALSE(context.remaining());
    CHECK(tool_invoke(&request, &host, &call) == TOOL_BAD_INPUT);
}
