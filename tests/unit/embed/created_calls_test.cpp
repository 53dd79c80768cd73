// The interface of a created tool during a call.
#include <future>
#include <latch>
#include <thread>

#include "tests/unit/embed/home.hpp"

using namespace toolhost;
using namespace toolhost::test;

namespace {

const nlohmann::json kWord{{"word", "a"}};

// Runs until it is cancelled; reports when it has started.
ToolReply wait(const ToolInput&, ToolCall& call) {
    call.emit("progress", {{"progress", 0}});
    while (!call.cancelled()) std::this_thread::yield();
    return ToolReply::cancelled();
}

}  // namespace

TEST_CASE("a created tool streams, logs and asks") {
    Home home;
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("asks"), [](const ToolInput& input, ToolCall& call) {
        call.log(2, "about to ask");
        CHECK(call.emit("text", input.input.at("word")));
        const auto answer = call.ask("name", {{"message", "which?"}});
        if (!answer) return ToolReply::interrupted();
        if (answer->kind == Answer::Kind::declined) return ToolReply::declined();
        return ToolReply::text(answer->value.get<std::string>());
    }));
    std::string seen;
    CallObserver observer;
    observer.event = [&](const std::string& kind, const nlohmann::json& data) {
        seen += kind + ' ' + data.get<std::string>() + ';';
    };
    observer.log = [&](int level, const std::string& message) {
        seen += std::to_string(level) + ' ' + message + ';';
    };
    auto answer = Answer{Answer::Kind::given, "this"};
    observer.ask = [&](const nlohmann::json& question) -> std::optional<Answer> {
        CHECK(question.at("name") == "name");
        return answer;
    };
    CHECK(text_of(host.call({.tool = "asks", .input = kWord}, observer)) == "this");
    CHECK(seen == "2 about to ask;text a;");
    answer = {Answer::Kind::declined, {}};
    CHECK(code_of(host.call({.tool = "asks", .input = kWord}, observer)) == "consent_denied");
    CHECK(code_of(host.call({.tool = "asks", .input = kWord})) == "interrupted");
}

TEST_CASE("a created tool gets the caller, the policy and the state") {
    Home home;
    home.profile("policies: {whoami: {limit: 7}}\n");
    auto host = home.open();
    const nlohmann::ordered_json policy{
        {"stateful", true},
        {"policySchema", {{"type", "object"}, {"properties", {{"limit", {{"type", "integer"}}}}}}}};
    REQUIRE(host.create_tool(spec_of("whoami", policy), [](const ToolInput& input, ToolCall&) {
        return ToolReply::text(input.tool + ' ' + input.version + ' ' + input.principal + ' ' +
                               input.caller + ' ' + input.tool_use_id + ' ' + input.state.dump() +
                               ' ' + input.policy.at("limit").dump());
    }));
    CallRequest request{.tool = "whoami", .input = kWord, .tool_use_id = "use-1"};
    request.principal = "ann";
    request.caller = "session";
    request.state = {{"seen", 2}};
    CHECK(text_of(host.call(request)) == "whoami 1.0.0 ann session use-1 {\"seen\":2} 7");
}

TEST_CASE("a created tool fails, denies and throws") {
    Home home;
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("fails"), [](const ToolInput& input, ToolCall&) -> ToolReply {
        const auto& how = input.input.at("word");
        if (how == "fail") return ToolReply::failed("not_found", "no such row");
        if (how == "deny") return ToolReply::denied("read_only", "rows are read-only");
        if (how == "bad") return ToolReply::bad_input("odd", "must be even");
        if (how == "blocks") return ToolReply::blocks("no array");
        throw std::runtime_error("lost the connection");
    }));
    auto error = [&](const char* how) {
        return host.call({.tool = "fails", .input = {{"word", how}}}).document.at("error").dump();
    };
    CHECK(error("fail") ==
          R"({"code":"tool_failed","details":{"code":"not_found"},"message":"no such row"})");
    CHECK(error("deny").find(R"("code":"policy_denied","details":{"reason":"read_only"})") !=
          std::string::npos);
    CHECK(error("bad").find(R"("code":"invalid_input")") != std::string::npos);
    CHECK(error("blocks").find(R"("code":"invalid_reply")") != std::string::npos);
    CHECK(error("throw").find("lost the connection") != std::string::npos);
}

TEST_CASE("a created tool is cancelled, and ended by shutdown") {
    Home home;
    auto host = home.open();
    REQUIRE(host.create_tool(spec_of("waits"), wait));
    std::stop_source stop;
    CallObserver observer;
    observer.cancel = stop.get_token();
    observer.event = [&](auto&, auto&) { stop.request_stop(); };
    CHECK(code_of(host.call({.tool = "waits", .input = kWord}, observer)) == "cancelled");

    std::promise<void> begun;
    CallObserver tells;
    tells.event = [&](auto&, auto&) { begun.set_value(); };
    auto ended = std::async(std::launch::async, [&] {
        return code_of(host.call({.tool = "waits", .input = kWord}, tells));
    });
    begun.get_future().wait();
    host.shutdown();
    CHECK(ended.get() == "cancelled");
    CHECK(host.create_tool(spec_of("late"), repeat).error().code == "cancelled");
}

TEST_CASE("a created tool that ignores its timeout is busy until it returns") {
    Home home;
    auto host = home.open();
    std::promise<void> go, gone;
    const auto released = std::make_shared<int>();
    REQUIRE(host.create_tool(spec_of("late"), [&, released](const ToolInput& input, ToolCall&) {
        if (input.input.at("word") == "quick") return ToolReply::text("quick");
        go.get_future().wait();
        gone.set_value();
        return ToolReply::text("late");
    }));
    CallRequest request{.tool = "late", .input = kWord};
    request.timeout = std::chrono::milliseconds(20);
    CHECK(code_of(host.call(request)) == "timeout");
    const auto busy = host.call({.tool = "late", .input = {{"word", "quick"}}});
    CHECK(code_of(busy) == "plugin_unavailable");
    CHECK(text_of(busy).starts_with("the tool is still busy with a call that ran out of time"));
    go.set_value();
    gone.get_future().wait();
    while (!host.call({.tool = "late", .input = {{"word", "quick"}}}).ok())
        std::this_thread::yield();
}

TEST_CASE("calls of a concurrent tool run at the same time, those of a serial one in sequence") {
    Home home;
    auto host = home.open();
    std::latch both(2);
    REQUIRE(host.create_tool(
        spec_of("meets"),
        [&](const ToolInput&, ToolCall&) {
            both.arrive_and_wait();
            return ToolReply::text("met");
        },
        Concurrency::concurrent));
    std::atomic<int> inside{0}, most{0};
    REQUIRE(host.create_tool(spec_of("alone"), [&](const ToolInput&, ToolCall&) {
        most = std::max(most.load(), ++inside);
        std::this_thread::yield();
        --inside;
        return ToolReply::text("done");
    }));
    auto call = [&](const char* tool) {
        return std::async(std::launch::async,
                          [&host, tool] { return host.call({.tool = tool, .input = kWord}).ok(); });
    };
    auto one = call("meets"), other = call("meets");
    CHECK(one.get());
    CHECK(other.get());
    std::vector<std::future<bool>> calls;
    for (int i = 0; i < 8; ++i) calls.push_back(call("alone"));
    for (auto& done : calls) CHECK(done.get());
    CHECK(most == 1);
}

TEST_CASE("plugins and created tools call each other if declared and granted") {
    Home home;
    home.add("caller");
    auto host = home.open();
    auto from_plugin = [&] {
        return host.call({.tool = "caller", .input = {{"ref", "echo"}}})
            .document.at("content")
            .at(0)
            .at("json");
    };
    REQUIRE(host.create_tool({{"name", "echo"},
                              {"description", "Says who calls it."},
                              {"inputSchema", {{"type", "object"}}}},
                             [](const ToolInput&, ToolCall&) { return ToolReply::text("hello"); }));
    REQUIRE(host.create_tool(spec_of("asks", {{"needs", {{"tools", {"echo"}}}}}),
                             [](const ToolInput&, ToolCall& call) {
                                 const auto result = call.call("echo", {{"x", 1}});
                                 return result.ok() ? ToolReply::text(text_of(result))
                                                    : ToolReply::failed("nested", code_of(result));
                             }));
    CHECK(from_plugin().at("error").at("details").at("reason") == "grant_missing");
    CHECK(text_of(host.call({.tool = "asks", .input = kWord})) == "policy_denied");
    home.profile("grants: {caller: [tools=echo], asks: [tools=echo]}\n");
    host.reload();
    CHECK(from_plugin().at("content").at(0).at("text") == "hello");
    CHECK(text_of(host.call({.tool = "asks", .input = kWord})) == "hello");
}
