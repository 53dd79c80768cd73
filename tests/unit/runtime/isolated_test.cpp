// Workers through the library: what a caller of runtime::Isolated sees of them.
#include "host/runtime/isolated.hpp"

#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <future>
#include <map>
#include <set>
#include <thread>

#include "host/runtime/content_hash.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/runtime/closed_child.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::runtime;
using toolhost::test::TempFolder;

namespace {

using Clock = std::chrono::steady_clock;

// Answers what a plugin asks, and keeps what it says.
struct AnsweringHost : CallHost {
    void emit(std::string_view, std::string_view) override { ++emitted; }
    bool cancelled() const override { return false; }
    void log(int, std::string_view message) override { logged += message; }
    std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                  std::string_view input) override {
        return {TOOL_OK, "{\"called\":\"" + std::string(reference) +
                             "\",\"with\":" + std::string(input) + "}"};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                  std::string_view) override {
        return {answered, '"' + std::string(name) + '"'};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                   std::string_view params) override {
        return {answered, "{\"" + std::string(kind) + "\":" + std::string(params) + "}"};
    }
    Deadline deadline() const override { return until; }

    std::atomic<int> emitted{0};
    std::string logged;
    tool_status answered = TOOL_OK;
    Deadline until;
};

const std::set<std::string> kConcurrent{"overlap_concurrent", "caller", "constructor_sleeps"};

// A host with its folders, and the libraries it was given.
class Workers {
public:
    Workers() {
        terms_.confinement.sandbox = policy::Sandbox::best_effort;
        terms_.confinement.limits = {512, 60, 32, 64, 8};
        terms_.workers.grace_ms = 100;
        terms_.key = "test";
        start();
    }
    void start() {
        isolated = std::make_unique<Isolated>(
            IsolatedOptions{TOOLHOST_BINARY, copies_.path(), quarantine_.path()});
    }

    Result<Outcome> call(const std::string& tool, const std::string& input = "{}",
                         const std::shared_ptr<AnsweringHost>& host = {}, const Stop& stop = {},
                         std::uint32_t depth = 0) {
        Invocation invocation{tool, "id", input, "{}", "{}", 0, ++chain_, depth};
        invocation.isolation = policy::Isolation::process;
        invocation.terms = &terms_;
        std::optional<Result<Outcome>> got;
        int times = 0;
        isolated->invoke(library(tool), invocation, host ? host : std::make_shared<AnsweringHost>(),
                         stop, [&](Result<Outcome> outcome) {
                             got = std::move(outcome);
                             ++times;
                         });
        if (times != 1) throw std::runtime_error("done was called " + std::to_string(times));
        return *std::move(got);
    }

    registry::Library library(const std::string& tool) {
        std::lock_guard lock(mutex_);
        auto& known = libraries_[tool];
        if (!known.path.empty()) return known;
        folder_.take(tool);
        known.path = folder_ / (tool + ".so");
        known.sha256 = hash_file(open_for_reading(known.path).get());
        known.flags = kConcurrent.contains(tool) ? TOOL_CONCURRENT : TOOL_SERIAL;
        return known;
    }

    [[nodiscard]] policy::Workers& settings() { return terms_.workers; }
    [[nodiscard]] Quarantine quarantine() const { return Quarantine(quarantine_.path()); }

    std::unique_ptr<Isolated> isolated;

private:
    TempFolder folder_, copies_, quarantine_;
    WorkerTerms terms_;
    std::mutex mutex_;
    std::map<std::string, registry::Library> libraries_;
    std::atomic<Chain> chain_{0};
};

bool become(const std::function<bool()>& there, std::chrono::milliseconds within) {
    const auto end = Clock::now() + within;
    while (!there()) {
        if (Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string crash(const char* how) {
    return std::string("{\"how\":\"") + how + "\"}";
}

// Calls the library again from within each call, once many are in it.
struct NestingHost : AnsweringHost {
    NestingHost(Workers& all, std::atomic<int>& entered) : workers(all), inside(entered) {}
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        ++inside;
        static_cast<void>(become([&] { return inside >= 32; }, std::chrono::milliseconds(500)));
        auto leaf = std::make_shared<AnsweringHost>();
        leaf->until = until;
        auto nested = workers.call("caller", R"({"ref":"leaf"})", leaf, {}, 1);
        return {nested ? TOOL_OK : TOOL_FAILED, nested ? "1" : "0"};
    }
    Workers& workers;
    std::atomic<int>& inside;
};

}  // namespace

TEST_CASE("isolated: a crash is one call's, and the next one has a fresh worker") {
    Workers workers;
    auto crashed = workers.call("hostile_crash", crash("segfault"));
    REQUIRE_FALSE(crashed);
    CHECK(crashed.error().code == ErrorCode::plugin_crashed);
    CHECK(crashed.error().details.value("signal", "") == "SIGSEGV");
    CHECK(crashed.error().details.value("output", "") == "last words\n");
    auto left = workers.call("hostile_crash", crash("exit"));
    CHECK(left.error().details.value("exitCode", -1) == 0);
    auto well = workers.call("echo", R"({"a":1})");
    REQUIRE(well);
    CHECK(well->content == R"([{"json":{"a":1}},{"text":"{\"a\":1}"}])");
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("isolated: too many crashes are stored as a quarantine, until it is lifted") {
    Workers workers;
    workers.settings().max_crashes = 2;
    const auto path = workers.library("hostile_crash").path;
    for (int i = 0; i < 2; ++i)
        CHECK(workers.call("hostile_crash", crash("abort")).error().code ==
              ErrorCode::plugin_crashed);
    auto held = workers.call("hostile_crash", crash("abort"));
    REQUIRE_FALSE(held);
    CHECK(held.error().code == ErrorCode::plugin_quarantined);
    CHECK(held.error().details.value("crashes", 0) == 2);
    const auto stored = workers.quarantine().all();
    REQUIRE(stored.size() == 1);
    CHECK(stored.front().reason.find("SIGABRT") != std::string::npos);
    // Another host knows it, too.
    workers.start();
    CHECK(workers.call("hostile_crash", crash("abort")).error().code ==
          ErrorCode::plugin_quarantined);
    REQUIRE(workers.quarantine().lift(path));
    CHECK(workers.call("hostile_crash", crash("abort")).error().code == ErrorCode::plugin_crashed);
}

TEST_CASE("isolated: a worker is warm, and ended when nobody has called it for a while") {
    Workers workers;
    workers.settings().idle_seconds = 1;
    for (int i = 0; i < 3; ++i) CHECK(workers.call("echo"));
    CHECK(workers.isolated->workers() == 1);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));
    CHECK(workers.call("echo"));
}

TEST_CASE("isolated: a concurrent library has many calls in one worker") {
    Workers workers;
    int most = 0;  // the library remembers it; a busy machine needs more than one attempt
    for (int attempt = 0; attempt < 50 && most < 8; ++attempt) {
        std::vector<std::future<Result<Outcome>>> calls;
        for (int i = 0; i < 8; ++i)
            calls.push_back(
                std::async(std::launch::async, [&] { return workers.call("overlap_concurrent"); }));
        for (auto& call : calls) {
            auto outcome = call.get();
            CAPTURE((outcome ? "" : outcome.error().message + outcome.error().details.dump()));
            REQUIRE(outcome);
            most = std::max(most, outcome->content[9] - '0');
        }
    }
    CHECK(most == 8);
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("isolated: what a plugin asks of the host is answered") {
    Workers workers;
    auto called = workers.call("caller", R"({"ref":"other"})");
    REQUIRE(called);
    CHECK(called->content == R"([{"json":{"called":"other","with":{"ref":"other"}}}])");
    auto host = std::make_shared<AnsweringHost>();
    CHECK(workers.call("asker", "{}", host)->content == R"([{"text":"went on"}])");
    for (const tool_status status : {TOOL_INTERRUPTED, TOOL_DENIED, TOOL_CANCELLED}) {
        host->answered = status;
        CHECK(workers.call("asker", "{}", host)->status == status);
    }
    CHECK(workers.call("streamer", "{}", host)->status == TOOL_OK);
    CHECK(host->emitted == 4);
    CHECK(workers.call("prints_while_called", "{}", host));
    CHECK(host->logged.find("noise from the call, direct") != std::string::npos);
}

TEST_CASE("isolated: a plugin reaches its caller's client through extensions") {
    Workers workers;
    auto host = std::make_shared<AnsweringHost>();
    const auto content = workers.call("sampler", "{}", host)->content;
    CHECK(content.find(R"("model":{"sampling":{"maxTokens":10,"messages")") != std::string::npos);
    CHECK(content.ends_with(R"("roots":{"roots":{}}}}])"));
    for (const auto status : {TOOL_INTERRUPTED, TOOL_DENIED, TOOL_UNSUPPORTED}) {
        host->answered = status;
        CHECK(workers.call("sampler", "{}", host)->status == status);
    }
}

TEST_CASE("isolated: more calls than lanes that all call into their own library come through") {
    Workers workers;
    std::atomic<int> inside{0};
    std::vector<std::future<Result<Outcome>>> calls;
    for (int i = 0; i < 40; ++i)
        calls.push_back(std::async(std::launch::async, [&] {
            auto host = std::make_shared<NestingHost>(workers, inside);
            host->until = Clock::now() + std::chrono::seconds(30);
            return workers.call("caller", R"({"ref":"caller"})", host);
        }));
    for (auto& call : calls) {
        auto outcome = call.get();
        REQUIRE(outcome);
        CHECK(outcome->content == R"([{"json":1}])");
    }
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("isolated: who waits for a worker that another call starts, waits within its own time") {
    Workers workers;
    std::stop_source given_up;
    std::atomic<bool> first_ended{false};
    auto first = std::async(std::launch::async, [&] {
        auto outcome = workers.call("constructor_sleeps", "{}", {}, {given_up.get_token(), {}});
        first_ended = true;
        return outcome;
    });
    CHECK(become([&] { return workers.isolated->workers() == 1; }, std::chrono::seconds(20)));
    auto host = std::make_shared<AnsweringHost>();
    host->until = Clock::now() + std::chrono::milliseconds(50);
    CHECK(workers.call("constructor_sleeps", "{}", host).error().code == ErrorCode::timeout);
    CHECK_FALSE(first_ended);
    std::stop_source cancelled;
    cancelled.request_stop();
    CHECK(workers.call("constructor_sleeps", "{}", {}, {cancelled.get_token(), {}}).error().code ==
          ErrorCode::cancelled);
    CHECK_FALSE(first_ended);
    given_up.request_stop();
    CHECK(first.get().error().code == ErrorCode::cancelled);
}

TEST_CASE("isolated: a fault of who embeds the host is not the plugin's") {
    struct FaultyHost : AnsweringHost {
        void emit(std::string_view, std::string_view) override {
            throw std::runtime_error("no disk");
        }
    };
    Workers workers;
    auto outcome = workers.call("streamer", "{}", std::make_shared<FaultyHost>());
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == ErrorCode::internal);
    CHECK(outcome.error().message.find("no disk") != std::string::npos);
    CHECK(workers.call("streamer"));
}

TEST_CASE("isolated: a tool that heeds it is cancelled, one that does not is ended") {
    Workers workers;
    auto started = [](const std::shared_ptr<AnsweringHost>& host) {
        return become([&] { return host->emitted > 0; }, std::chrono::seconds(20));
    };
    auto waiting = std::make_shared<AnsweringHost>();
    std::stop_source cancel;
    auto call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000})", waiting, {cancel.get_token(), {}});
    });
    CHECK(started(waiting));
    cancel.request_stop();
    CHECK(call.get()->status == TOOL_CANCELLED);
    CHECK(workers.isolated->workers() == 1);

    // One that does not heed it has the grace time, and no more.
    auto stubborn = std::make_shared<AnsweringHost>();
    std::stop_source cancel_it;
    call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000,"heeds":false})", stubborn,
                            {cancel_it.get_token(), {}});
    });
    CHECK(started(stubborn));
    cancel_it.request_stop();
    CHECK(call.get().error().code == ErrorCode::cancelled);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));

    auto deaf = std::make_shared<AnsweringHost>();
    std::stop_source abandon;
    call = std::async(std::launch::async, [&] {
        return workers.call("waiter", R"({"ms":600000,"heeds":false})", deaf,
                            {{}, abandon.get_token()});
    });
    CHECK(started(deaf));
    abandon.request_stop();
    CHECK(call.get().error().code == ErrorCode::cancelled);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));

    auto late = std::make_shared<AnsweringHost>();
    late->until = Clock::now() + std::chrono::milliseconds(300);
    auto overdue = workers.call("hostile_hang", crash("signals_blocked"), late);
    CHECK(overdue.error().code == ErrorCode::timeout);
    CHECK(workers.call("waiter", R"({"ms":1})"));
}

TEST_CASE("isolated: what is large comes through whole, both ways") {
    Workers workers;
    std::string text(8u << 20, 'x');
    for (std::size_t i = 0; i < text.size(); i += 37)
        text[i] = static_cast<char>('a' + i / 37 % 26);
    const auto input = "{\"text\":\"" + text + "\"}";
    auto outcome = workers.call("echo", input);
    REQUIRE(outcome);
    // CHECK would print both.
    CHECK((outcome->content.compare(0, 9 + input.size(), "[{\"json\":" + input) == 0));
}

TEST_CASE("isolated: what no message can hold is refused, and the worker lives on") {
    Workers workers;
    auto refused = workers.call("echo", '"' + std::string(kMaxMessageBytes, 'x') + '"');
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::input_too_large);
    CHECK(workers.call("echo"));
}

TEST_CASE("isolated: garbage in a channel ends the worker, not the host") {
    if (!test::whole_sandbox()) return;
    Workers workers;
    for (const char* how : {"impossible_words", "random_words"}) {
        auto broken = workers.call("hostile_channel", crash(how));
        REQUIRE_FALSE(broken);
        CHECK(broken.error().details.value("reason", "") == "channel_garbage");
    }
    CHECK(workers.call("echo"));
}

TEST_CASE("isolated: a host that goes leaves no process") {
    {
        Workers workers;
        CHECK(workers.call("echo"));
        CHECK_FALSE(workers.call("hostile_crash", crash("kill_self")));
    }
    errno = 0;
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}
