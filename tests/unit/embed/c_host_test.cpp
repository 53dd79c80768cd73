// toolhost/host.h: correct and incorrect use from C.
#include "toolhost/host.h"

#include <string.h>

#include <future>

#include "tests/unit/embed/home.hpp"

using namespace toolhost::test;
using nlohmann::json;

namespace {

// A text returned by a function, freed by the destructor.
struct Text {
    char* text = nullptr;
    ~Text() { toolhost_free(text); }
    Text() = default;
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;
    [[nodiscard]] json value() const { return text ? json::parse(text) : json(); }
    [[nodiscard]] std::string code() const { return value().value("code", ""); }
    [[nodiscard]] std::string error_code() const {
        return value().value(json::json_pointer("/error/code"), "");
    }
    [[nodiscard]] std::string shown() const {
        return value().value(json::json_pointer("/content/0/text"), "");
    }
};

std::string options_of(Home& home) {
    const auto options = home.options();
    return json{{"onlyPlugins", options.only_plugins},
                {"config", options.config},
                {"program", options.program},
                {"probeTimeoutMs", 60000}}
        .dump();
}

struct OpenHost {
    explicit OpenHost(Home& home) {
        Text error;
        REQUIRE(toolhost_open(options_of(home).c_str(), nullptr, &host, &error.text) ==
                TOOLHOST_OK);
    }
    ~OpenHost() { toolhost_close(host); }
    OpenHost(const OpenHost&) = delete;
    OpenHost& operator=(const OpenHost&) = delete;
    toolhost_host* host = nullptr;
};

template <class T>
T sized() {
    T out{};
    out.struct_size = sizeof(T);
    return out;
}

constexpr char kSpec[] = R"({"name": "greet", "description": "Greets.",
    "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}}})";

toolhost_status greet(void*, const char* input, toolhost_call_context* call) {
    const auto name = json::parse(input).at("input").value("name", "you");
    CHECK(toolhost_cancelled(call) == 0);
    toolhost_log(call, TOOLHOST_INFO, "greeting");
    CHECK(toolhost_emit(call, "text", "\"soon\"") == TOOLHOST_OK);
    CHECK(toolhost_emit(call, "text", "{") == TOOLHOST_BAD_INPUT);
    CHECK(toolhost_reply(call, "[{") == TOOLHOST_BAD_INPUT);
    const auto status = toolhost_reply(call, json{{{"text", "hello " + name}}}.dump().c_str());
    CHECK(toolhost_reply(call, "[]") == TOOLHOST_FAILED);
    return status;
}

}  // namespace

TEST_CASE("c: a host opens, lists, calls and reloads") {
    CHECK(std::string(toolhost_version()) == toolhost::Host::version());
    Home home;
    home.add("echo");
    OpenHost open(home);
    Text listed, called, error;
    CHECK(toolhost_list(open.host, nullptr, &listed.text) == TOOLHOST_OK);
    REQUIRE(listed.value().size() == 1);
    CHECK(listed.value()[0].at("name") == "echo");
    CHECK(toolhost_call(open.host, R"({"tool": "echo", "input": {}, "toolUseId": "mine"})", nullptr,
                        nullptr, &called.text) == TOOLHOST_OK);
    CHECK(called.value().at("toolUseId") == "mine");
    int32_t changed = -1;
    CHECK(toolhost_reload(open.host, &changed, &error.text) == TOOLHOST_OK);
    CHECK(changed == 0);
    home.add("adder");
    CHECK(toolhost_reload(open.host, &changed, nullptr) == TOOLHOST_OK);
    CHECK(changed == 1);
}

TEST_CASE("c: invalid arguments are errors") {
    Home home;
    toolhost_host* host = nullptr;
    for (const char* options :
         {"[]", "{", R"({"plugin": []})", R"({"plugins": "x"})", R"({"plugins": [1]})",
          R"({"useCache": 1})", R"({"probeTimeoutMs": -1})", "{\"profile\": \"\xff\"}"}) {
        CAPTURE(options);
        Text error;
        CHECK(toolhost_open(options, nullptr, &host, &error.text) == TOOLHOST_FAILED);
        CHECK(host == nullptr);
        CHECK(error.code() == "invalid_input");
    }
    CHECK(toolhost_open(nullptr, nullptr, nullptr, nullptr) == TOOLHOST_FAILED);
    Text unknown;
    CHECK(toolhost_open(R"({"profile": "nope"})", nullptr, &host, &unknown.text) ==
          TOOLHOST_FAILED);
    CHECK(unknown.value().at("message").get<std::string>().find("nope") != std::string::npos);
    const auto small = toolhost_callbacks{};
    CHECK(toolhost_open("{}", &small, &host, nullptr) == TOOLHOST_FAILED);

    OpenHost open(home);
    for (const char* request : {static_cast<const char*>(nullptr), "", "[]", R"({"tool": 1})",
                                R"({"tool": "x", "inputs": {}})", "{\"tool\": \"\xff\"}"}) {
        Text result;
        CHECK(toolhost_call(open.host, request, nullptr, nullptr, &result.text) == TOOLHOST_FAILED);
        CHECK(result.error_code() == "invalid_input");
        CHECK(result.value().at("status") == "error");
    }
    Text listed, nothing, observed;
    CHECK(toolhost_list(open.host, "\xff", &listed.text) == TOOLHOST_FAILED);
    CHECK(toolhost_list(nullptr, nullptr, &nothing.text) == TOOLHOST_FAILED);
    CHECK(nothing.code() == "invalid_input");
    const auto unsized_observer = toolhost_observer{};
    CHECK(toolhost_call(open.host, R"({"tool": "x"})", &unsized_observer, nullptr,
                        &observed.text) == TOOLHOST_FAILED);
    CHECK(observed.error_code() == "invalid_input");
    CHECK(toolhost_call(nullptr, R"({"tool": "x"})", nullptr, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_reload(nullptr, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_watch(nullptr, nullptr, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_delete_tool(open.host, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_set_answer(nullptr, "1") == TOOLHOST_BAD_INPUT);
    CHECK(toolhost_reply(nullptr, "[]") == TOOLHOST_FAILED);
    CHECK(toolhost_fail(nullptr, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_deny(nullptr, nullptr, nullptr) == TOOLHOST_DENIED);
    CHECK(toolhost_emit(nullptr, "text", "1") == TOOLHOST_BAD_INPUT);
    CHECK(toolhost_cancelled(nullptr) == 0);
    toolhost_log(nullptr, TOOLHOST_INFO, nullptr);
    CHECK(toolhost_call_tool(nullptr, "x", "{}", nullptr) == TOOLHOST_BAD_INPUT);
    CHECK(toolhost_ask(nullptr, "x", "{}", nullptr) == TOOLHOST_BAD_INPUT);
    toolhost_cancel(nullptr);
    toolhost_cancellation_free(nullptr);
    toolhost_free(nullptr);
    toolhost_close(nullptr);
}

TEST_CASE("c: an observer gets events and answers questions") {
    Home home;
    for (const char* fixture : {"asker", "waiter", "careful"}) home.add(fixture);
    OpenHost open(home);
    std::string seen;
    auto observer = sized<toolhost_observer>();
    observer.data = &seen;
    observer.event = [](void* data, const char* kind, const char* text) {
        *static_cast<std::string*>(data) +=
            kind + json::parse(text).at("message").get<std::string>();
    };
    observer.consent = [](void* data, const char* question) -> toolhost_consent {
        *static_cast<std::string*>(data) += json::parse(question).at("tool").get<std::string>();
        return TOOLHOST_CONSENT_ONCE;
    };
    observer.ask = [](void* data, const char* question, toolhost_answer* answer) {
        *static_cast<std::string*>(data) += json::parse(question).at("name").get<std::string>();
        CHECK(toolhost_set_answer(answer, "{") == TOOLHOST_BAD_INPUT);
        return toolhost_set_answer(answer, "true");
    };
    auto call = [&](const char* request) {
        Text result;
        (void)toolhost_call(open.host, request, &observer, nullptr, &result.text);
        return result.shown() + result.error_code() + ' ' + std::exchange(seen, "");
    };
    CHECK(call(R"({"tool": "asker"})") == "went on confirm");
    CHECK(call(R"({"tool": "careful"})") == "done careful");
    CHECK(call(R"({"tool": "waiter", "input": {"ms": 0}})") == "waited progressstarted");
    observer.ask = [](void*, const char*, toolhost_answer*) -> toolhost_status {
        return TOOLHOST_DENIED;
    };
    CHECK(call(R"({"tool": "asker"})").ends_with("consent_denied "));
    observer.ask = [](void*, const char*, toolhost_answer*) -> toolhost_status {
        return TOOLHOST_OK;  // without an answer
    };
    CHECK(call(R"({"tool": "asker"})").ends_with("interrupted "));
    observer.consent = [](void*, const char*) -> toolhost_consent { return TOOLHOST_CONSENT_NONE; };
    CHECK(call(R"({"tool": "careful"})").ends_with("consent_required "));
    observer.consent = [](void*, const char*) -> toolhost_consent { return 17; };
    CHECK(call(R"({"tool": "careful"})").ends_with("consent_denied "));
}

TEST_CASE("c: a call is cancelled from another thread") {
    Home home;
    home.add("waiter");
    OpenHost open(home);
    auto* const cancellation = toolhost_cancellation_create();
    REQUIRE(cancellation);
    std::promise<void> begun;
    auto observer = sized<toolhost_observer>();
    observer.data = &begun;
    observer.event = [](void* data, const char*, const char*) {
        static_cast<std::promise<void>*>(data)->set_value();
    };
    auto code = std::async(std::launch::async, [&] {
        Text result;
        (void)toolhost_call(open.host, R"({"tool": "waiter", "input": {"ms": 600000}})", &observer,
                            cancellation, &result.text);
        return result.error_code();
    });
    begun.get_future().wait();
    toolhost_cancel(cancellation);
    CHECK(code.get() == "cancelled");
    // It stays cancelled for calls that start later.
    Text late;
    (void)toolhost_call(open.host, R"({"tool": "waiter", "input": {"ms": 600000}})", nullptr,
                        cancellation, &late.text);
    CHECK(late.error_code() == "cancelled");
    toolhost_cancellation_free(cancellation);
}

TEST_CASE("c: a tool is created, called and released once") {
    Home home;
    int released = 0;
    {
        OpenHost open(home);
        auto tool = sized<toolhost_tool>();
        tool.spec = kSpec;
        tool.data = &released;
        tool.invoke = greet;
        tool.release = [](void* data) { ++*static_cast<int*>(data); };
        Text error, again, called;
        REQUIRE(toolhost_create_tool(open.host, &tool, &error.text) == TOOLHOST_OK);
        CHECK(toolhost_create_tool(open.host, &tool, &again.text) == TOOLHOST_FAILED);
        CHECK(again.code() == "already_exists");
        CHECK(toolhost_call(open.host, R"({"tool": "greet", "input": {"name": "Ann"}})", nullptr,
                            nullptr, &called.text) == TOOLHOST_OK);
        CHECK(called.shown() == "hello Ann");
        CHECK(released == 0);
        CHECK(toolhost_delete_tool(open.host, "greet", nullptr) == TOOLHOST_OK);
        Text unknown;
        CHECK(toolhost_delete_tool(open.host, "greet", &unknown.text) == TOOLHOST_FAILED);
        CHECK(unknown.code() == "unknown_tool");
        REQUIRE(toolhost_create_tool(open.host, &tool, nullptr) == TOOLHOST_OK);
    }
    CHECK(released == 2);
}

TEST_CASE("c: a created tool fails, denies, asks and calls other tools") {
    Home home;
    home.add("echo");
    home.profile("grants: {greet: [tools=echo]}\n");
    OpenHost open(home);
    auto tool = sized<toolhost_tool>();
    tool.flags = TOOLHOST_CONCURRENT;
    auto spec = json::parse(kSpec);
    spec["needs"] = {{"tools", {"echo"}}};
    const auto text = spec.dump();
    tool.spec = text.c_str();
    tool.invoke = [](void*, const char* input, toolhost_call_context* call) -> toolhost_status {
        const auto how = json::parse(input).at("input").at("name").get<std::string>();
        if (how == "fail") return toolhost_fail(call, "gone", "the file is gone");
        if (how == "deny") return toolhost_deny(call, "read_only", "no writing");
        if (how == "silent") return TOOLHOST_OK;
        if (how == "odd") return 99;
        Text answer;
        if (how == "ask") return toolhost_ask(call, "sure", "{}", &answer.text);
        CHECK(toolhost_call_tool(call, "echo", "{", nullptr) == TOOLHOST_BAD_INPUT);
        CHECK(toolhost_call_tool(call, "nope", "{}", nullptr) == TOOLHOST_FAILED);
        const auto status = toolhost_call_tool(call, "echo", "{}", &answer.text);
        return status == TOOLHOST_OK ? toolhost_reply(call, "[{\"text\": \"nested\"}]") : status;
    };
    REQUIRE(toolhost_create_tool(open.host, &tool, nullptr) == TOOLHOST_OK);
    auto call = [&](const std::string& how) {
        Text result;
        const json request{{"tool", "greet"}, {"input", {{"name", how}}}};
        (void)toolhost_call(open.host, request.dump().c_str(), nullptr, nullptr, &result.text);
        return result.error_code() + ' ' + result.shown();
    };
    CHECK(call("fail") == "tool_failed the file is gone");
    CHECK(call("deny") == "policy_denied no writing");
    CHECK(call("silent").starts_with("invalid_reply"));
    CHECK(call("odd").starts_with("tool_failed"));
    CHECK(call("ask").starts_with("interrupted"));
    CHECK(call("nested") == " nested");
}

TEST_CASE("c: a tool that cannot be created is refused and not released") {
    Home home;
    OpenHost open(home);
    auto check = [&](toolhost_tool tool, const char* code) {
        tool.release = [](void*) { FAIL("released"); };
        Text error;
        CHECK(toolhost_create_tool(open.host, &tool, &error.text) == TOOLHOST_FAILED);
        CHECK(error.code() == code);
    };
    auto tool = sized<toolhost_tool>();
    tool.spec = kSpec;
    tool.invoke = greet;
    auto with = [tool](auto change) {
        auto changed = tool;
        change(changed);
        return changed;
    };
    check(with([](auto& t) { t.struct_size = 8; }), "invalid_input");
    check(with([](auto& t) { t.spec = nullptr; }), "invalid_input");
    check(with([](auto& t) { t.spec = "{"; }), "invalid_input");
    check(with([](auto& t) { t.spec = "{\"name\": \"\xff\"}"; }), "invalid_input");
    check(with([](auto& t) { t.spec = "{}"; }), "invalid_spec");
    check(with([](auto& t) { t.invoke = nullptr; }), "invalid_input");
    check(with([](auto& t) { t.flags = 2; }), "invalid_input");
    CHECK(toolhost_create_tool(open.host, nullptr, nullptr) == TOOLHOST_FAILED);
    CHECK(toolhost_create_tool(nullptr, &tool, nullptr) == TOOLHOST_FAILED);
}

TEST_CASE("c: a host that watches its folders reports a new plugin") {
    Home home;
    std::promise<void> changed;
    OpenHost open(home);
    CHECK(toolhost_watch(
              open.host, [](void* data) { static_cast<std::promise<void>*>(data)->set_value(); },
              &changed, nullptr) == TOOLHOST_OK);
    home.add("echo");
    CHECK(changed.get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready);
}
