// Workers that are replaced because trusted files have changed since they started.
#include <future>

#include "tests/unit/runtime/workers.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::runtime;

namespace {

// Libraries may write a workspace that contains the trusted file `.envrc`.
struct Writers : Workers {
    Writers() {
        confinement().write = {workspace.path()};
        confinement().trusted_names = {".envrc"};
        confinement().trusted_files = {envrc};
    }
    // Replaces the file by rename, so that no worker protects the new one.
    void replace_envrc() const {
        workspace.write("new", "x");
        REQUIRE(::rename((workspace / "new").c_str(), envrc.c_str()) == 0);
    }
    [[nodiscard]] bool has_workers(std::size_t count) const {
        return become([&] { return isolated->workers() == count; }, std::chrono::seconds(20));
    }
    TempFolder workspace;
    const std::string envrc = workspace / ".envrc";
};

// A call that runs until it is stopped.
class RunningCall {
public:
    RunningCall(Writers& workers, const std::string& tool, const std::string& input) {
        call_ = std::async(std::launch::async, [this, &workers, tool, input] {
            return workers.call(tool, input, host, {stop_.get_token(), {}});
        });
        CHECK(become([&] { return host->emitted > 0; }, std::chrono::seconds(20)));
    }
    void end() {
        stop_.request_stop();
        const auto outcome = call_.get();
        REQUIRE(outcome);
        CHECK(outcome->status == TOOL_CANCELLED);
    }
    const std::shared_ptr<AnsweringHost> host = std::make_shared<AnsweringHost>();

private:
    std::stop_source stop_;
    std::future<Result<Outcome>> call_;
};

constexpr const char* kForLong = R"({"ms":600000})";
constexpr const char* kShortly = R"({"ms":1})";
constexpr const char* kWait = R"({"how":"wait"})";

}  // namespace

TEST_CASE("replaced: a worker that is busy ends with its last call, and gets no others") {
    Writers workers;
    workers.all_share = true;
    workers.replace_envrc();
    RunningCall first(workers, "waiter", kForLong);
    RunningCall second(workers, "waiter", kForLong);
    CHECK(workers.isolated->workers() == 1);
    workers.replace_envrc();
    CHECK(workers.call("waiter", kShortly));
    CHECK(workers.isolated->workers() == 2);
    first.end();
    CHECK(workers.call("waiter", kShortly));
    CHECK(workers.isolated->workers() == 2);
    second.end();
    CHECK(workers.has_workers(1));
    CHECK(workers.isolated->starts() == 2);
}

TEST_CASE("replaced: workers that still run count for their owner") {
    constexpr std::size_t kPlaces = 16;
    Writers workers;
    workers.all_concurrent = true;
    workers.caller = "ann";
    std::vector<std::unique_ptr<RunningCall>> calls;
    for (std::size_t i = 0; i < kPlaces; ++i) {
        workers.replace_envrc();
        calls.push_back(std::make_unique<RunningCall>(workers, "remembers", kWait));
    }
    CHECK(workers.isolated->workers() == kPlaces);
    const auto refused = [&](const char* caller) {
        workers.caller = caller;
        const auto outcome = workers.call("remembers");
        return !outcome && outcome.error().code == ErrorCode::resource_exhausted;
    };
    CHECK(refused("bob"));
    workers.replace_envrc();
    CHECK(refused("ann"));
    for (auto& call : calls) call->end();
    CHECK(workers.call("remembers"));
    workers.caller = "bob";
    CHECK(workers.call("remembers"));
    CHECK(workers.has_workers(2));
}

TEST_CASE("replaced: a new file is reported once, even if calls overlap") {
    Writers workers;
    workers.all_share = true;
    RunningCall running(workers, "waiter", kForLong);
    workers.replace_envrc();
    const auto other = std::make_shared<AnsweringHost>();
    CHECK(workers.call("waiter", kShortly, other));
    CHECK(other->appeared == std::vector{workers.envrc});
    running.end();
    CHECK(running.host->appeared.empty());
}

TEST_CASE("replaced: a call without time for the search does not wait for it") {
    Writers workers;
    workers.all_share = true;
    const auto late = std::make_shared<AnsweringHost>();
    late->until = Clock::now();
    const auto outcome = workers.call("waiter", kShortly, late);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == ErrorCode::timeout);
    CHECK(workers.isolated->starts() == 0);
    CHECK(workers.call("waiter", kShortly));
}
