// All ways to write a tool, called through the exported functions.
#include <doctest/doctest.h>

#include <string>
#include <toolhost/plugin.hpp>

#include "fake_host.hpp"
#include "sample_plugin.hpp"

using nlohmann::json;

namespace {

// The content of a call that must succeed.
json result(const std::string& tool, const std::string& input = "{}") {
    tool_call call;
    const tool_status status = fake::invoke({.tool = tool, .input = input}, call);
    CHECK(status == TOOL_OK);
    CHECK(call.failures.empty());
    REQUIRE(call.replies.size() == 1);
    return call.content();
}

}  // namespace

TEST_CASE("tool_spec describes the family") {
    const tool_spec_info* info = tool_spec();
    REQUIRE(info != nullptr);
    CHECK(info == tool_spec());
    CHECK(info->flags == TOOL_CONCURRENT);
    const json spec = json::parse(fake::text(&info->json));
    CHECK(spec.at("family") == "sample");
    CHECK(spec.at("tools").size() == 13);
    CHECK(spec.at("tools").at(0).at("outputSchema").at("properties").at("result").at("type") ==
          "number");
    CHECK(sample::counts().objects_made == 0);
}

TEST_CASE("a function") {
    CHECK(result("add", R"({"a": 2, "b": 3})") ==
          json::parse(R"([{"text": "5"}, {"json": {"result": 5.0}}])"));
    CHECK(result("greet", R"({"name": "you"})") == json::parse(R"([{"text": "use-1 you"}])"));
    CHECK(result("greet_2", R"({"name": "you", "times": 2})") ==
          json::parse(R"([{"text": "use-1 you you"}])"));
    CHECK(result("nothing") == json::parse(R"([{"text": "done"}])"));
    CHECK(result("nothing", "") == json::parse(R"([{"text": "done"}])"));
    CHECK(result("twice", R"({"amount": 4})").at(1) == json::parse(R"({"json": {"result": 8}})"));
}

TEST_CASE(
    "an object is created once, at the first call, and destroyed when the library is closed") {
    const sample::Counts before = sample::counts();
    CHECK(result("count", R"({"amount": 2})") == json::parse(R"([{"json": {"total": 2}}])"));
    CHECK(result("count") == json::parse(R"([{"json": {"total": 3}}])"));
    CHECK(result("total").at(0) == json::parse(R"({"text": "3"})"));
    CHECK(sample::counts().objects_made == before.objects_made + 1);
    tool_close();
    CHECK(sample::counts().objects_gone == before.objects_gone + 1);
    CHECK(sample::counts().closed == before.closed + 1);
    CHECK(result("total").at(0) == json::parse(R"({"text": "0"})"));
    tool_close();
}

TEST_CASE("a constructor that throws fails every call") {
    for (int i = 0; i < 2; ++i) {
        tool_call call;
        CHECK(fake::invoke({.tool = "broken"}, call) == TOOL_FAILED);
        CHECK(call.failures.at(0).second == "cannot be made");
    }
}

TEST_CASE("a raw tool gets the unchanged input") {
    CHECK(result("raw", R"({"any": [1, {}]})") == json::parse(R"([{"json": {"any": [1, {}]}}])"));
}

TEST_CASE("hooks") {
    const tool_host host = fake::host();
    const int before = sample::counts().opened;
    CHECK(tool_open(&host) == TOOL_OK);
    CHECK(sample::counts().opened == before + 1);
    sample::counts().open_throws = true;
    CHECK(tool_open(&host) == TOOL_FAILED);
    sample::counts().open_throws = false;

    // A hook may take the host.
    const void* found = nullptr;
    toolhost::Library library(toolhost::on_open([&](const tool_host* given) {
                                  found = given->extension(given, "toolhost.known/1");
                              }),
                              toolhost::tool("t", "d", [] {}));
    library.open(&host);
    CHECK(found != nullptr);
}

TEST_CASE("a library of one tool needs no name in the request") {
    toolhost::Library library(toolhost::tool("t", "d", [] { return "here"; }));
    const tool_host host = fake::host();
    const fake::Request given{};
    const tool_request request = given.abi();
    tool_call call;
    CHECK(toolhost::detail::invoke_guarded(library, &request, &host, &call) == TOOL_OK);
    CHECK(call.content().at(0).at("text") == "here");
}
