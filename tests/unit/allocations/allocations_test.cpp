// How often the host allocates memory for one call, and that this does not grow unnoticed.
#include <poll.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <functional>

#include "host/base/json_text.hpp"
#include "host/policy/layer.hpp"
#include "host/runtime/runtimes.hpp"
#include "host/serve/server.hpp"
#include "tests/filled_registry.hpp"
#include "tests/unit/allocations/counted_new.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;

namespace {

constexpr int kWarmUp = 50, kCalls = 500;

policy::ProfilePtr profile(const char* isolation) {
    auto layers = policy::built_in_profile()->layers();
    auto layer = policy::read_layer(
        "defaults: { isolation: " + std::string(isolation) + ", sandbox: off }", "", "test");
    REQUIRE(layer);
    layers.push_back(*layer);
    return std::make_shared<const policy::Profile>(std::move(layers));
}

struct CountingObserver final : call::CallObserver {
    void finished(call::ToolResult&& result) override { succeeded += result.ok() ? 1 : 0; }
    int succeeded = 0;
};

struct CountingSink final : serve::MessageSink {
    void send(std::string) override {}
    void finish(std::string message, int) override {
        succeeded += message.find(R"("result":{"content":)") != message.npos ? 1 : 0;
    }
    int succeeded = 0;
};

struct Fixture {
    test::TempFolder plugins, files;
    registry::Registry registry;
    runtime::Runtimes runtime{{TOOLHOST_BINARY, files / "copies", ""}};
    call::Invoker invoker;

    explicit Fixture(const char* isolation)
        : invoker(registry, runtime, {{profile(isolation)}, false, {}}) {
        spdlog::set_level(spdlog::level::warn);
        plugins.take("adder");
        test::fill(registry, plugins.path());
    }
};

// Average for one call, on the thread that makes it.
double measure(const std::function<void(int)>& prepare, const std::function<void()>& call) {
    std::uint64_t sum = 0;
    for (int i = 0; i < kWarmUp + kCalls; ++i) {
        prepare(i);
        const auto before = test::allocations();
        call();
        if (i >= kWarmUp) sum += test::allocations() - before;
    }
    return static_cast<double>(sum) / kCalls;
}

void check(const char* what, double figure, double bound) {
    std::printf("allocations per call, %s: %.1f (at most %.0f)\n", what, figure, bound);
    CHECK(figure <= bound);
}

double of_invoker(const char* isolation) {
    Fixture fixture(isolation);
    const auto observer = std::make_shared<CountingObserver>();
    call::ToolUse use;
    const auto figure = measure(
        [&](int) {
            use.reference = "adder";
            use.input = {{"a", 1}, {"b", 2}};
        },
        [&] { fixture.invoker.start(std::move(use), observer); });
    CHECK(observer->succeeded == kWarmUp + kCalls);
    return figure;
}

// Without a thread that waits for the call: the thread that sent it collects its outcome.
double of_posted() {
    Fixture fixture("process");
    auto& posted = fixture.runtime.isolated().posted();
    posted.open();
    posted.expect_more(true);
    const auto observer = std::make_shared<CountingObserver>();
    call::ToolUse use;
    const auto figure = measure(
        [&](int) {
            use.reference = "adder";
            use.input = {{"a", 1}, {"b", 2}};
        },
        [&] {
            const auto before = observer->succeeded;
            fixture.invoker.start(std::move(use), observer);
            while (observer->succeeded == before) {
                if (posted.collect()) continue;
                const runtime::PostedCalls::Sleep sleep(posted);
                pollfd bells{posted.bells(), POLLIN, 0};
                if (!posted.ready()) (void)::poll(&bells, 1, 10'000);
                posted.read_bells();
            }
        });
    posted.close();
    CHECK(observer->succeeded == kWarmUp + kCalls);
    return figure;
}

double of_server(const char* isolation) {
    Fixture fixture(isolation);
    serve::ServerOptions options;
    options.version = "1";
    options.invoker = [&](const std::string&) -> Result<call::Invoker*> {
        return &fixture.invoker;
    };
    serve::Server server(std::move(options));
    const auto session = std::make_shared<serve::Session>(serve::Principal{});
    const auto sink = std::make_shared<CountingSink>();
    server.handle(session,
                  R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":)"
                  R"("2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
                  sink);
    std::string line;
    const auto figure = measure(
        [&](int i) {
            line = R"({"jsonrpc":"2.0","id":)" + std::to_string(i + 1) +
                   R"(,"method":"tools/call","params":{"name":"adder","arguments":)"
                   R"({"a":1,"b":2}}})";
        },
        [&] { server.handle(session, line, sink); });
    CHECK(sink->succeeded == kWarmUp + kCalls);
    return figure;
}

}  // namespace

// Each bound is the figure at the time of writing and 10 %.
TEST_CASE("a call allocates no more than it did") {
    check("in the host's process", of_invoker("in_process"), 9);
    check("in a worker", of_invoker("process"), 10);
    check("in a worker, posted", of_posted(), 11);
}

TEST_CASE("a request allocates no more than it did") {
    check("request to response in the host's process", of_server("in_process"), 14);
    check("request to response in a worker", of_server("process"), 15);
}
