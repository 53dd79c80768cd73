// Unsuccessful ends of calls. No exception may leave tool_invoke.
#include <doctest/doctest.h>

#include <string>
#include <toolhost/plugin.hpp>

#include "fake_host.hpp"

using nlohmann::json;
using Said = std::pair<std::string, std::string>;

namespace {

tool_status go_wrong(const char* how, tool_call& call) {
    return fake::invoke({.tool = "go_wrong", .input = json{{"how", how}}.dump()}, call);
}

}  // namespace

TEST_CASE("a std::exception fails with its text") {
    tool_call call;
    CHECK(go_wrong("std", call) == TOOL_FAILED);
    CHECK(call.failures == std::vector<Said>{{"tool_failed", "the disk is on fire"}});
    CHECK(call.replies.empty());
}

TEST_CASE("any other exception fails the call, too") {
    tool_call call;
    CHECK(go_wrong("int", call) == TOOL_FAILED);
    CHECK(call.failures.at(0).first == "tool_failed");
    CHECK(call.failures.at(0).second == "the tool threw an object that is not a std::exception");
}

TEST_CASE("fail and deny report their own code and reason") {
    tool_call failed;
    CHECK(go_wrong("error", failed) == TOOL_FAILED);
    CHECK(failed.failures == std::vector<Said>{{"rate_limited", "slow down"}});
    tool_call denied;
    CHECK(go_wrong("deny", denied) == TOOL_DENIED);
    CHECK(denied.denials ==
          std::vector<Said>{{"path_not_allowed", "/etc is outside the workspace"}});
    CHECK(denied.failures.empty());
}

TEST_CASE("a cancelled tool returns TOOL_CANCELLED") {
    tool_call call;
    call.is_cancelled = true;
    CHECK(go_wrong("cancel", call) == TOOL_CANCELLED);
    CHECK(call.failures.empty());
    tool_call running;
    CHECK(go_wrong("cancel", running) == TOOL_OK);
}

TEST_CASE("input that does not convert is invalid_input with the position") {
    tool_call call;
    CHECK(fake::invoke({.tool = "add", .input = R"({"a": 1, "b": "2"})"}, call) == TOOL_BAD_INPUT);
    CHECK(call.failures ==
          std::vector<Said>{
              {"invalid_input", "add: input at /b: expected a number, got string \"2\""}});
    tool_call whole;
    CHECK(fake::invoke({.tool = "add", .input = "[]"}, whole) == TOOL_BAD_INPUT);
    CHECK(whole.failures.at(0).second == "add: input: expected an object, got array");
    tool_call not_json;
    CHECK(fake::invoke({.tool = "add", .input = "{"}, not_json) == TOOL_BAD_INPUT);
    CHECK(not_json.failures.at(0).first == "invalid_input");
    tool_call by_tool;
    CHECK(go_wrong("bad_input", by_tool) == TOOL_BAD_INPUT);
    CHECK(by_tool.failures.at(0).second == "go_wrong: input at /how: is never right");
}

TEST_CASE("another value that does not convert is tool_failed") {
    tool_call call;
    CHECK(go_wrong("bad_value", call) == TOOL_FAILED);
    CHECK(call.failures.at(0).first == "tool_failed");
}

TEST_CASE("an unknown tool") {
    tool_call call;
    CHECK(fake::invoke({.tool = "unknown"}, call) == TOOL_UNSUPPORTED);
    CHECK(call.failures ==
          std::vector<Said>{{"unknown_tool", "this library has no tool 'unknown'"}});
}

TEST_CASE("the host's status for a reply is returned") {
    tool_call call;
    call.reply_status = TOOL_FAILED;
    CHECK(fake::invoke({.tool = "nothing"}, call) == TOOL_FAILED);
}

TEST_CASE("invalid UTF-8 is replaced, not an exception") {
    toolhost::Library library(toolhost::tool("t", "d", [] {
        return std::string(
            "a\xff"
            "b");
    }));
    const tool_host host = fake::host();
    const fake::Request given{};
    const tool_request request = given.abi();
    tool_call call;
    CHECK(toolhost::detail::invoke_guarded(library, &request, &host, &call) == TOOL_OK);
    CHECK(call.content().at(0).at("text") ==
          "a\xef\xbf\xbd"
          "b");
}

TEST_CASE("null pointers are refused") {
    const tool_host host = fake::host();
    const fake::Request given{};
    const tool_request request = given.abi();
    CHECK(tool_invoke(nullptr, &host, nullptr) == TOOL_UNSUPPORTED);
    CHECK(tool_invoke(&request, nullptr, nullptr) == TOOL_UNSUPPORTED);
}
