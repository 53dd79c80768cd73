// Many calls from many threads to real plugins, while profiles and the catalogue change.
#include <spdlog/logger.h>
#include <spdlog/spdlog.h>

#include <map>
#include <thread>

#include "host/call/event_log.hpp"
#include "host/call/invoker.hpp"
#include "host/os/descriptor.hpp"
#include "host/runtime/in_process.hpp"
#include "tests/filled_registry.hpp"
#include "tests/unit/call/bench.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::call;

namespace {

constexpr int kThreads = 8, kCalls = 20'000;

struct Mixed {
    const char* reference;
    Json input;
};

policy::ProfilePtr profile(const test::TempFolder& folder, const std::string& yaml) {
    folder.write("p.yml",
                 "name: p\nextends: default\n"
                 "grants: { caller: [tools], serial_caller: [tools] }\n" +
                     yaml);
    auto loaded = policy::load_profile(folder / "p.yml", "");
    REQUIRE(loaded);
    return *loaded;
}

}  // namespace

TEST_CASE("20,000 mixed calls from 8 threads each have one before and one after event") {
    spdlog::set_level(spdlog::level::err);
    test::TempFolder plugins, files;
    for (const char* name : {"echo", "adder", "failer", "denier", "careful", "caller", "streamer",
                             "serial_caller", "overlap_serial", "waiter"})
        plugins.take(name);
    registry::Registry registry;
    test::fill(registry, plugins.path());
    runtime::InProcess runtime(files / "copies");
    auto log = open_event_log(files / "events.jsonl");
    REQUIRE(log);
    std::atomic<int> results{0};
    {
        InvokerOptions options;
        options.events = Events(*log);
        Invoker invoker(registry, runtime, std::move(options));
        const policy::ProfilePtr profiles[] = {
            profile(files, "defaults: { coerceInput: true }\n"),
            profile(files, "tools: { deny: [adder] }\npolicies: { echo: { maxConcurrent: 2 } }\n"),
            profile(files,
                    "policies: { waiter: { timeoutMs: 1 }, failer: { rateLimit: { calls: 3, "
                    "seconds: 1 } } }\n")};
        const Mixed mixed[] = {{"echo", {{"a", 1}}},          {"adder", {{"a", 1}, {"b", 2}}},
                               {"adder", {{"a", "1"}}},       {"failer", Json::object()},
                               {"denier", Json::object()},    {"careful", Json::object()},
                               {"nobody", Json::object()},    {"streamer", Json::object()},
                               {"caller", {{"ref", "echo"}}}, {"serial_caller", {{"ref", "echo"}}}};
        std::atomic<int> next{0};
        std::atomic<bool> done{false};
        std::jthread changer([&] {
            for (std::size_t i = 0; !done; ++i) {
                invoker.use({profiles[i % 3]});
                std::this_thread::yield();
            }
        });
        std::vector<std::jthread> callers;
        for (int t = 0; t < kThreads; ++t)
            callers.emplace_back([&, t] {
                auto observer = std::make_shared<test::TestObserver>();
                std::atomic<int> emitted{0};
                observer->on_emit = [&](auto, auto, auto) { ++emitted; };
                for (int i; (i = next++) < kCalls;) {
                    const auto& one = mixed[static_cast<std::size_t>(i + t) % std::size(mixed)];
                    ToolUse use;
                    use.reference = one.reference;
                    use.input = one.input;
                    if (i % 500 == 0)
                        use = {"waiter", {{"ms", 3}, {"heeds", false}}, "", {}, 0, {}};
                    use.state = "{}";
                    const auto result = invoker.call(std::move(use), observer);
                    if (!result.use_id.empty()) ++results;
                }
            });
        callers.clear();
        done = true;
    }
    (*log)->flush();
    CHECK(results == kCalls);
    std::string text;
    REQUIRE(os::read_file(files / "events.jsonl", 512u << 20, text));
    std::map<std::string, std::pair<int, int>> seen;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        const auto event = Json::parse(text.substr(at, end - at));
        at = end + 1;
        auto& [before, after] = seen[event["toolUseId"].get<std::string>()];
        before += event["event"] == "hook.tool.before";
        after += event["event"] == "hook.tool.after";
    }
    CHECK(seen.size() >= kCalls);
    int wrong = 0;
    for (const auto& [id, counts] : seen) wrong += counts != std::pair(1, 1);
    CHECK(wrong == 0);
}
