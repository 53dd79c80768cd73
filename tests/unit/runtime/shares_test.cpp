// Principals that share a worker: the effects on others are limited.
#include <future>

#include "host/base/json_text.hpp"
#include "tests/unit/runtime/workers.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::worker;
using namespace toolhost::runtime;

namespace {

constexpr std::size_t kOwnWorkers = 16;  // of one library, for principals
constexpr auto kTimeout = std::chrono::seconds(60);

struct CountingHost : AnsweringHost {
    explicit CountingHost(std::atomic<int>& count) : begun(count) {}
    void emit(std::string_view, std::string_view) override { ++begun; }
    std::atomic<int>& begun;
};

// Calls of the fixture `waiter` that run until they are stopped.
class Waiting {
public:
    explicit Waiting(Workers& workers) : workers_(workers) {}
    ~Waiting() { stop.request_stop(); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    void begin(const std::string& principal) {
        workers_.caller = workers_.principal = principal;
        const auto host = std::make_shared<CountingHost>(begun);
        const auto taken = std::make_shared<std::promise<void>>();
        auto is_taken = taken->get_future();
        calls.push_back(std::async(std::launch::async, [this, host, taken] {
            const Stop until{stop.get_token(), {}};
            return workers_.call("waiter", R"({"ms":600000})", host, until, 0,
                                 [&] { taken->set_value(); });
        }));
        is_taken.wait();  // its principal was read
    }
    bool run(int many) {
        return become([&] { return begun >= many; }, kTimeout);
    }

    std::atomic<int> begun{0};
    std::stop_source stop;
    std::vector<std::future<Result<Outcome>>> calls;

private:
    Workers& workers_;
};

Result<Outcome> call_of(Workers& workers, const std::string& principal, const std::string& tool,
                        const std::string& input, std::chrono::milliseconds timeout = kTimeout) {
    workers.caller = workers.principal = principal;
    auto host = std::make_shared<AnsweringHost>();
    host->until = Clock::now() + timeout;
    return workers.call(tool, input, host);
}

}  // namespace

TEST_CASE("shares: a hang ends a shared worker once, then only the principal's own") {
    Workers workers;
    workers.all_share = true;
    const auto hang = [&] {
        const auto hung = call_of(workers, "ann", "waiter", R"({"ms":600000,"heeds":false})",
                                  std::chrono::milliseconds(200));
        REQUIRE_FALSE(hung);
        CHECK(hung.error().code == ErrorCode::timeout);
    };
    REQUIRE(call_of(workers, "ann", "waiter", R"({"ms":1})"));
    Waiting first(workers);
    first.begin("bob");
    REQUIRE(first.run(1));
    hang();
    const auto ended = first.calls[0].get();
    REQUIRE_FALSE(ended);
    CHECK(ended.error().details.value("reason", "") == "worker_ended");
    CHECK(workers.isolated->crashes() == 0);

    Waiting second(workers);
    second.begin("bob");
    REQUIRE(second.run(1));
    hang();
    CHECK(call_of(workers, "ann", "waiter", R"({"ms":1})"));
    second.stop.request_stop();
    const auto undisturbed = second.calls[0].get();
    REQUIRE(undisturbed);
    CHECK(undisturbed->status == TOOL_CANCELLED);
    CHECK(workers.quarantine().all().empty());
}

TEST_CASE("shares: one principal's calls leave half of a shared worker to others") {
    Workers workers;
    workers.all_share = true;
    Waiting bobs(workers), anns(workers);
    bobs.begin("bob");
    REQUIRE(bobs.run(1));
    for (int i = 0; i < 24; ++i) anns.begin("ann");
    REQUIRE(anns.run(12));
    CHECK(call_of(workers, "bob", "waiter", R"({"ms":1})"));
    CHECK(call_of(workers, "eve", "waiter", R"({"ms":1})"));
    CHECK(anns.begun == 12);
    // Without others she has all of it.
    bobs.stop.request_stop();
    CHECK(bobs.calls[0].get());
    CHECK(anns.run(24));
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("shares: if all workers for clients are busy, one more client uses the shared one") {
    Workers workers;
    workers.all_share = true;
    workers.settings().crash_window_seconds = 600;
    const auto name = [](std::size_t i) { return "principal" + std::to_string(i); };
    for (std::size_t i = 0; i <= kOwnWorkers; ++i)
        CHECK_FALSE(call_of(workers, name(i), "remembers", crash("crash")));
    std::atomic<int> begun{0};
    std::stop_source stop;
    std::vector<std::future<Result<Outcome>>> calls;
    for (std::size_t i = 0; i < kOwnWorkers; ++i) {
        workers.caller = workers.principal = name(i);
        calls.push_back(std::async(std::launch::async, [&] {
            return workers.call("remembers", R"({"how":"wait"})",
                                std::make_shared<CountingHost>(begun), Stop{stop.get_token(), {}});
        }));
        REQUIRE(become([&] { return begun == static_cast<int>(i) + 1; }, kTimeout));
    }
    const auto served = call_of(workers, name(kOwnWorkers), "remembers", "{}");
    CAPTURE((served ? "" : served.error().message));
    CHECK(served);
    stop.request_stop();
    for (auto& call : calls) CHECK(call.get());
}

TEST_CASE("shares: a library that crashes at its start for a client runs again after the window") {
    Workers workers;
    workers.settings().max_crashes = 2;
    const auto start = [&](const char* principal) {
        const auto outcome = call_of(workers, principal, "constructor_crashes", "{}");
        REQUIRE_FALSE(outcome);
        // Models read the message.
        CHECK(outcome.error().message.find('/') == std::string::npos);
        return outcome.error().code;
    };
    CHECK(start("ann") == ErrorCode::plugin_crashed);
    CHECK(start("bob") == ErrorCode::plugin_crashed);
    CHECK(start("eve") == ErrorCode::plugin_quarantined);
    CHECK(workers.quarantine().all().empty());
}
