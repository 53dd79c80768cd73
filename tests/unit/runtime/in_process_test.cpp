#include "host/runtime/in_process.hpp"

#include <future>
#include <thread>

#include "host/loading/host_table.hpp"
#include "host/loading/library_files.hpp"
#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "host/os/runners.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"
#include "toolhost/ext/sampling.h"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace toolhost::runtime;
using toolhost::test::TempFolder;

namespace {

registry::Library library(const std::string& path) {
    auto file = open_for_reading(path);
    REQUIRE(file);
    return {path, hash_file(file.get()), 0, false, false, *library_identity(path, false)};
}

struct SilentHost : PluginCall {
    void emit(std::string_view, std::string_view) override {}
    bool cancelled() const override { return false; }
    void log(int, std::string_view) override {}
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        return {TOOL_FAILED, "{}"};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view, std::string_view) override {
        return {TOOL_INTERRUPTED, ""};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params) override {
        return {client, "{\"" + std::string(kind) + "\":" + std::string(params) + "}"};
    }
    Deadline deadline() const override { return until; }
    void ended(const Result<Outcome>& outcome) override { ended_with.set_value(outcome); }

    std::promise<Result<Outcome>> ended_with;
    tool_status client = TOOL_OK;
    Deadline until;
    std::string input;  // as long as the invocation lives
};

// On a thread that can be spared, as for calls.
Result<Outcome> invoke(InProcess& runtime, const registry::Library& lib,
                       const runtime::PlacedInvocation& invocation,
                       const std::shared_ptr<SilentHost>& host, const Stop& stop = {}) {
    host->ended_with = {};
    auto outcome = host->ended_with.get_future();
    Runners runners;
    runners.run(
        [&runtime, lib, invocation, host, stop] { runtime.invoke(lib, invocation, host, stop); });
    return outcome.get();
}

Result<Outcome> call(InProcess& runtime, const registry::Library& lib, const char* tool) {
    return invoke(runtime, lib, {tool, "id", "{}", "{}", "{}", 0, 1},
                  std::make_shared<SilentHost>());
}

}  // namespace

TEST_CASE("a library replaced by rename runs its new code, even while the old one is loaded") {
    TempFolder folder, copies;
    InProcess runtime(copies.path());
    folder.take("failer", "plugin");
    auto old = library(folder / "plugin.so");
    CHECK(call(runtime, old, "failer")->status == TOOL_FAILED);

    folder.take("denier", "new");
    boost::filesystem::rename(folder / "new.so", folder / "plugin.so");
    auto fresh = library(folder / "plugin.so");
    CHECK(call(runtime, fresh, "denier")->status == TOOL_DENIED);
    CHECK(call(runtime, old, "failer")->status == TOOL_FAILED);
}

TEST_CASE("content that was never probed is not loaded") {
    TempFolder folder, copies;
    InProcess runtime(copies.path());
    folder.take("echo", "plugin");
    auto probed = library(folder / "plugin.so");
    folder.take("failer", "plugin");
    auto outcome = call(runtime, probed, "echo");
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == ErrorCode::plugin_unavailable);
    CHECK(outcome.error().message.find("changed after it was scanned") != std::string::npos);
}

TEST_CASE("a library that cannot be loaded or opened is unavailable, with the loader's message") {
    TempFolder folder, copies;
    InProcess runtime(copies.path());
    folder.write("text.so", "no library");
    auto text = call(runtime, library(folder / "text.so"), "t");
    REQUIRE_FALSE(text);
    CHECK(text.error().message.find("cannot load") != std::string::npos);
    folder.take("open_fails");
    auto closed = call(runtime, library(folder / "open_fails.so"), "open_fails");
    REQUIRE_FALSE(closed);
    CHECK(closed.error().message.find("tool_open() returned 1") != std::string::npos);
}

TEST_CASE("an overdue call returns at once, and its library is busy until the code returns") {
    TempFolder folder, copies;
    folder.take("waiter");
    folder.take("echo");
    InProcess runtime(copies.path());
    const auto waiter = library(folder / "waiter.so");
    auto wait = [&](int ms, Deadline until, const Stop& stop = {}) {
        auto host = std::make_shared<SilentHost>();
        host->until = until;
        host->input = "{\"ms\":" + std::to_string(ms) + ",\"heeds\":false}";
        return invoke(runtime, waiter, {"waiter", "id", host->input, "{}", "{}", 0, 1}, host, stop);
    };
    REQUIRE(wait(0, std::nullopt));
    auto late = wait(300, std::chrono::steady_clock::now() + std::chrono::milliseconds(10));
    REQUIRE_FALSE(late);
    CHECK(late.error().code == ErrorCode::timeout);
    CHECK(runtime.overdue() == 1);
    CHECK(wait(0, std::nullopt).error().code == ErrorCode::plugin_unavailable);
    CHECK(call(runtime, library(folder / "echo.so"), "echo"));
    while (runtime.overdue() > 0) std::this_thread::yield();
    CHECK(wait(0, std::nullopt));

    // The same if the caller abandons the call.
    std::stop_source abandon;
    std::jthread leaver([&] { abandon.request_stop(); });
    auto left = wait(300, std::nullopt, {{}, abandon.get_token()});
    REQUIRE_FALSE(left);
    CHECK(left.error().code == ErrorCode::cancelled);
    while (runtime.overdue() > 0) std::this_thread::yield();
    CHECK(wait(0, std::nullopt));
}

TEST_CASE("a host that is destroyed does not affect an abandoned call") {
    TempFolder folder, copies;
    folder.take("waiter");
    const auto waiter = library(folder / "waiter.so");
    auto host = std::make_shared<SilentHost>();
    host->until = std::chrono::steady_clock::now();
    {
        InProcess runtime(copies.path());
        CHECK_FALSE(invoke(runtime, waiter,
                           {"waiter", "id", R"({"ms":50,"heeds":false})", "{}", "{}", 0, 1}, host,
                           {}));
    }
    while (host.use_count() > 1) std::this_thread::yield();  // until the code has returned
}

TEST_CASE("profile requirements that cannot be met are refused") {
    TempFolder folder, copies;
    folder.take("echo");
    InProcess runtime(copies.path());
    runtime::PlacedInvocation invocation{"echo", "id", "{}", "{}", "{}", 0, 1};
    invocation.isolation = runtime::Isolation::process;
    auto refused =
        invoke(runtime, library(folder / "echo.so"), invocation, std::make_shared<SilentHost>());
    CHECK(refused.error().code == ErrorCode::sandbox_unavailable);
    CHECK(runtime.loaded() == 0);
}

TEST_CASE("clients cannot share a stateful library in the host's process") {
    TempFolder folder, copies;
    folder.take("remembers");
    InProcess runtime(copies.path());
    auto stateful = library(folder / "remembers.so");
    stateful.stateful = true;
    runtime::PlacedInvocation invocation{"remembers", "id", "{}", "{}", "{}", 0, 1};
    CHECK(invoke(runtime, stateful, invocation, std::make_shared<SilentHost>()));
    invocation.caller = "ann";
    const auto refused = invoke(runtime, stateful, invocation, std::make_shared<SilentHost>());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::plugin_unavailable);
}

TEST_CASE("a plugin reaches its caller's client through extensions") {
    TempFolder folder, copies;
    folder.take("sampler");
    InProcess runtime(copies.path());
    const auto sampler = library(folder / "sampler.so");
    auto host = std::make_shared<SilentHost>();
    const runtime::PlacedInvocation invocation{"sampler", "id", "{}", "{}", "{}", 0, 1};
    const auto content = invoke(runtime, sampler, invocation, host)->content;
    CHECK(content.find(R"("model":{"sampling":{"maxTokens":10,"messages")") != std::string::npos);
    CHECK(content.ends_with(R"("roots":{"roots":{}}}}])"));
    for (const auto status : {TOOL_INTERRUPTED, TOOL_DENIED, TOOL_UNSUPPORTED}) {
        host->client = status;
        CHECK(invoke(runtime, sampler, invocation, host)->status == status);
    }
    // Without a call, as in tool_open().
    const auto* sampling =
        static_cast<const tool_sampling*>(host_table().extension(&host_table(), TOOL_EXT_SAMPLING));
    REQUIRE(sampling != nullptr);
    CHECK(sampling->struct_size == sizeof(tool_sampling));
    CHECK(sampling->create_message(nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(host_table().extension(&host_table(), nullptr) == nullptr);
}

TEST_CASE("the host's functions accept NULL as empty") {
    SilentHost host;
    tool_call running{&host, {}, {}};
    const auto& table = host_table();
    CHECK(table.struct_size == sizeof(tool_host));
    CHECK(table.reply(&running, nullptr) == TOOL_OK);
    CHECK(table.fail(&running, nullptr, nullptr) == TOOL_FAILED);
    CHECK(table.deny(&running, nullptr, nullptr) == TOOL_DENIED);
    CHECK(table.emit(&running, nullptr, nullptr) == TOOL_OK);
    CHECK(table.call_tool(&running, nullptr, nullptr, nullptr) == TOOL_FAILED);
    CHECK(table.interrupt(&running, nullptr, nullptr, nullptr) == TOOL_INTERRUPTED);
    CHECK(table.extension(&table, "toolhost.none/1") == nullptr);
    table.log(&running, 0, nullptr);
    // Without a call, as in tool_open().
    CHECK(table.reply(nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.fail(nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.deny(nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.emit(nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.call_tool(nullptr, nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.interrupt(nullptr, nullptr, nullptr, nullptr) == TOOL_UNSUPPORTED);
    CHECK(table.cancelled(nullptr) == 0);
}
