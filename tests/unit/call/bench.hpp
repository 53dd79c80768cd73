// A host with functions as plugins: the pipeline does not depend on where code runs.
#pragma once

#include <spdlog/spdlog.h>

#include <functional>
#include <memory>
#include <string>

#include "host/call/invoker.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::test {

using Handler =
    std::function<loading::Outcome(const runtime::PlacedInvocation&, loading::CallHost&)>;

struct FakeRuntime : runtime::Runtime {
    Handler handler;
    void invoke(const registry::Library&, const runtime::PlacedInvocation& invocation,
                std::shared_ptr<runtime::PluginCall> call, const loading::Stop&) override {
        call->ended(handler(invocation, *call));
    }
    bool can_keep_threads(runtime::Isolation) const override { return false; }
};

// An observer made of functions, and the ways to end its calls.
struct TestObserver : call::CallObserver {
    std::function<void(std::string_view use_id, std::string_view kind, std::string_view json)>
        on_emit;
    std::function<void(int level, std::string_view message)> on_log;
    std::function<std::optional<call::Answer>(const call::Question&)> on_ask;
    std::function<bool(std::string_view kind)> on_client_can;
    std::function<std::optional<call::ConsentAnswer>(const call::ConsentQuestion&)> on_consent;
    std::function<void(call::ToolResult)> on_finished;
    loading::Stop stop;

    void emit(std::string_view use_id, std::string_view kind, std::string_view json) override {
        if (on_emit) on_emit(use_id, kind, json);
    }
    void log(int level, std::string_view message) override {
        if (on_log) on_log(level, message);
    }
    std::optional<call::Answer> ask(const call::Question& question) override {
        return on_ask ? on_ask(question) : std::nullopt;
    }
    bool client_can(std::string_view kind) const override {
        return on_client_can && on_client_can(kind);
    }
    std::optional<call::ConsentAnswer> consent(const call::ConsentQuestion& question) override {
        return on_consent ? on_consent(question) : std::nullopt;
    }
    void finished(call::ToolResult&& result) override {
        if (on_finished) on_finished(std::move(result));
    }
};

inline loading::Outcome replied(std::string content) {
    return {TOOL_OK, 1, std::move(content), {}, {}};
}

struct Bench {
    registry::Registry registry;
    FakeRuntime runtime;
    call::InvokerOptions options;
    TempFolder folder;

    Bench() { spdlog::set_level(spdlog::level::warn); }

    void add(const char* name, const Json& extra = Json::object()) {
        Json json{{"name", name}, {"description", "d"}, {"inputSchema", {{"type", "object"}}}};
        json.update(extra);
        auto specs = registry::read_spec(json, "lib");
        REQUIRE(specs);
        auto added = registry.change([&](registry::Draft& draft) -> Result<void> {
            draft.push_back({(*specs)[0], std::make_shared<registry::Library>(), {}, {}});
            return {};
        });
        REQUIRE(added);
    }
    // Adds a tool that declares the tools it calls, and is granted them.
    void add_caller(const char* name, const std::vector<std::string>& tools) {
        add(name, {{"needs", {{"tools", tools}}}});
        grant(name, "tools");
    }
    // Adds a grant as in the user's config file.
    void grant(const char* name, const char* word) {
        options.rules.user.grants.push_back(
            {*policy::GrantKey::parse(name), *policy::GrantWord::parse(word), {}});
    }
    // Adds a library with everything in its spec.
    void add_library(const char* path, const Json& spec, const char* identity = "") {
        auto specs = registry::parse_spec(spec.dump(), "lib");
        REQUIRE(specs);
        auto library = std::make_shared<registry::Library>();
        library->path = path;
        library->sha256 = library->identity = identity;
        auto added = registry.change([&](registry::Draft& draft) -> Result<void> {
            for (auto& one : *specs) draft.push_back({std::move(one), library, {}, {}});
            return {};
        });
        REQUIRE(added);
    }
    // Applies a profile that extends the shipped default.
    void profile(const std::string& yaml) {
        folder.write("p.yml", "name: p\nextends: default\n" + yaml);
        auto loaded = policy::load_profile(folder / "p.yml", "");
        REQUIRE(loaded);
        options.rules.profile = *loaded;
    }
    call::Invoker invoker() { return {registry, runtime, options}; }
    call::ToolResult call(const char* reference, Json input = Json::object(),
                          std::shared_ptr<TestObserver> observer = nullptr) {
        call::ToolUse use;
        use.reference = reference;
        use.input = std::move(input);
        const auto stop = observer ? observer->stop : loading::Stop{};
        return invoker().call(std::move(use), std::move(observer), stop);
    }
    std::string code(const char* reference, Json input = Json::object()) {
        auto result = call(reference, std::move(input));
        return result.ok() ? "ok" : std::string(info(result.error->code).name);
    }
};

}  // namespace toolhost::test
