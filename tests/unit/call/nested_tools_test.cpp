// Which tools a tool may call: those that it declares and is granted.
#include "host/call/nested_tools.hpp"

#include "host/base/json_text.hpp"
#include "tests/unit/call/bench.hpp"

using namespace toolhost;
using namespace toolhost::call;
using toolhost::test::Bench;
using toolhost::test::replied;

namespace {

// The result that "outer" gets when it calls a tool.
Json nested(Bench& bench, const std::string& reference) {
    Json result;
    bench.runtime.handler = [&](const runtime::PlacedInvocation& in, loading::CallHost& host) {
        if (in.tool == "outer") result = *parse_json(host.call_tool(reference, "{}").second);
        return replied("[]");
    };
    CHECK(bench.call("outer").ok());
    return result;
}

std::string code(const Json& result) {
    return result.value("/error/code"_json_pointer, "ok");
}

}  // namespace

TEST_CASE("a tool that declares no tools may call none, whatever its grants") {
    Bench bench;
    bench.add("outer", {{"needs", {{"read", true}}}});
    bench.add("http_request", {{"needs", {{"network", true}}}});
    bench.grant("outer", "tools");
    bench.grant("http_request", "network");
    const auto refused = nested(bench, "http_request");
    CHECK(code(refused) == "policy_denied");
    CHECK(refused["error"]["details"]["reason"] == "grant_missing");
    CHECK(refused["error"]["message"] ==
          "tool 'outer' may not call 'http_request': its spec does not declare the call; add "
          "\"needs\": {\"tools\": [\"http_request\"]}");
    // All forms of the reference refer to the same tool.
    CHECK(code(nested(bench, "native:lib.http_request@^1")) == "policy_denied");
}

TEST_CASE("a declared tool without a grant is refused with the grant command") {
    Bench bench;
    bench.add("outer", {{"needs", {{"tools", {"http_request"}}}}});
    bench.add("http_request");
    bench.add("other");
    bench.grant("outer", "tools=other");
    const auto refused = nested(bench, "http_request");
    CHECK(refused["error"]["details"]["reason"] == "grant_missing");
    CHECK(refused["error"]["message"] ==
          "tool 'outer' may not call 'http_request': the call is not granted; run 'toolhost grant "
          "outer tools=http_request'");
    bench.profile("userGrants: false\n");
    bench.grant("outer", "tools=http_request");
    CHECK(nested(bench, "http_request")["error"]["message"] ==
          "tool 'outer' may not call 'http_request': profile 'p' must grant it");
    bench.profile("userGrants: false\ngrants: { outer: [tools=http_*] }\n");
    CHECK(code(nested(bench, "http_request")) == "ok");
}

TEST_CASE("a declaration is a reference and resolves like one") {
    struct Row {
        const char *declared, *called, *code;
    };
    for (const auto& [declared, called, expected] : {
             Row{"inner", "inner", "ok"},
             {"inner", "native:lib.inner@1.0.0", "ok"},
             {"native:lib.inner@^1", "inner", "ok"},
             {"inner@^2", "inner", "policy_denied"},
             {"native:other.inner", "inner", "policy_denied"},
             {"twice", "native:a.twice", "policy_denied"},  // ambiguous
             {"native:a.twice", "native:a.twice", "ok"},
             {"native:a.twice", "native:b.twice", "policy_denied"},
         }) {
        const auto& shown_declared = declared;
        CAPTURE(shown_declared);
        const auto& shown_called = called;
        CAPTURE(shown_called);
        Bench bench;
        bench.add_caller("outer", {declared});
        bench.add("inner");
        bench.add("twice", {{"family", "a"}});
        bench.add("twice", {{"family", "b"}, {"version", "2.0.0"}});
        CHECK(code(nested(bench, called)) == expected);
    }
}

TEST_CASE("a grant does not extend to the callers of a tool") {
    // outer may call inner, and inner may call secret; outer may not call secret.
    Bench bench;
    bench.add_caller("outer", {"inner", "secret"});
    bench.options.rules.user.grants.clear();
    bench.grant("outer", "tools=inner");
    bench.add_caller("inner", {"secret"});
    bench.add("secret");
    CHECK(code(nested(bench, "inner")) == "ok");
    CHECK(code(nested(bench, "secret")) == "policy_denied");
}

TEST_CASE("a nested call cannot reach offers of libraries") {
    Bench bench;
    bench.add_caller("outer", {"offering"});
    bench.add_library("/lib.so", {{"name", "offering"},
                                  {"description", "d"},
                                  {"inputSchema", {{"type", "object"}}},
                                  {"resources", {{{"uri", "x:y"}, {"name", "n"}}}}});
    REQUIRE(bench.registry.snapshot()->hidden().size() == 1);
    const auto& hidden = bench.registry.snapshot()->hidden()[0].spec;
    for (const auto& name : {hidden.name, hidden.label(), "native:" + hidden.label()}) {
        CAPTURE(name);
        CHECK(code(nested(bench, name)) == "unknown_tool");
    }
}

TEST_CASE("a refusal of a nested call is an event and a count like any other") {
    Bench bench;
    bench.add("outer");
    bench.add("inner");
    auto invoker = bench.invoker();
    bench.runtime.handler = [](const runtime::PlacedInvocation&, loading::CallHost& host) {
        (void)host.call_tool("inner", "{}");
        return replied("[]");
    };
    ToolUse use;
    use.reference = "outer";
    CHECK(invoker.call(std::move(use)).ok());
    CHECK(invoker.stats()["inner@1.0.0"]["denials"] == Json{{"grant_missing", 1}});
}

TEST_CASE("declared tools are reported with their grants") {
    Bench bench;
    bench.add("outer", {{"needs", {{"tools", {"inner", "other", "absent"}}}}});
    bench.add("inner");
    bench.add("other");
    bench.grant("outer", "tools=inner");
    const auto view = bench.invoker().view();
    const auto declared = declared_tools(*view, **view->catalogue().resolve("outer"));
    REQUIRE(declared.size() == 3);
    CHECK(declared[0].granted);
    CHECK_FALSE(declared[1].granted);
    CHECK(declared[1].grant == "toolhost grant outer tools=other");
    CHECK(declared[2].tool == nullptr);
}
