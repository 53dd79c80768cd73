// Workers of several callers: their state and their crashes are separate.
#include <future>

#include "host/base/json_text.hpp"
#include "tests/unit/runtime/workers.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::worker;
using namespace toolhost::runtime;

namespace {

constexpr std::size_t kMaxWorkers = 16;  // of one library, for callers

// What the fixture `remembers` has stored for the caller.
Json kept(Workers& workers, const std::string& caller, const std::string& principal = "") {
    workers.caller = caller;
    workers.principal = principal;
    auto outcome = workers.call("remembers");
    CAPTURE((outcome ? "" : outcome.error().message));
    REQUIRE(outcome);
    return parse_json(outcome->content)->at(0).at("json");
}

ErrorCode code_of(Workers& workers, const std::string& caller, const std::string& tool,
                  const std::string& input, const std::string& principal = "") {
    workers.caller = caller;
    workers.principal = principal;
    auto outcome = workers.call(tool, input);
    REQUIRE_FALSE(outcome);
    return outcome.error().code;
}

struct EmittingHost : AnsweringHost {
    void emit(std::string_view, std::string_view) override { started.set_value(); }
    std::promise<void> started;
};

}  // namespace

TEST_CASE("callers: a stateful library has a process and a temporary folder per caller") {
    Workers workers;
    CHECK(kept(workers, "ann") == Json{{"calls", 1},
                                       {"files", 1},
                                       {"version", "1.2.3"},
                                       {"caller", "ann"},
                                       {"state", Json::object()}});
    const auto again = kept(workers, "ann");
    CHECK(again["calls"] == 2);
    CHECK(again["files"] == 2);
    // File names start from one for each caller: in a shared folder this one would see two files.
    const auto bob = kept(workers, "bob");
    CHECK(bob["calls"] == 1);
    CHECK(bob["files"] == 1);
    CHECK(bob["caller"] == "bob");
    CHECK(kept(workers, "")["calls"] == 1);
    CHECK(workers.isolated->workers() == 3);
}

TEST_CASE("callers: a library without state has one worker for all") {
    Workers workers;
    for (const char* caller : {"ann", "bob", ""}) {
        workers.caller = caller;
        CHECK(workers.call("echo"));
    }
    CHECK(workers.isolated->workers() == 1);
}

TEST_CASE("callers: the worker of a disconnected caller ends") {
    Workers workers;
    CHECK(kept(workers, "ann")["calls"] == 1);
    CHECK(kept(workers, "bob")["calls"] == 1);
    workers.isolated->end_caller("ann");
    workers.isolated->end_caller("");
    CHECK(become([&] { return workers.isolated->workers() == 1; }, std::chrono::seconds(20)));
    CHECK(kept(workers, "bob")["calls"] == 2);
    CHECK(kept(workers, "ann")["calls"] == 1);
}

TEST_CASE("callers: one more than the limit ends the worker that was idle longest") {
    Workers workers;
    for (std::size_t i = 0; i < kMaxWorkers; ++i)
        CHECK(kept(workers, "caller" + std::to_string(i))["calls"] == 1);
    CHECK(kept(workers, "caller0")["calls"] == 2);
    CHECK(kept(workers, "one more")["calls"] == 1);
    CHECK(become([&] { return workers.isolated->workers() == kMaxWorkers; },
                 std::chrono::seconds(20)));
    CHECK(kept(workers, "caller0")["calls"] == 3);
    CHECK(kept(workers, "caller2")["calls"] == 2);
    CHECK(kept(workers, "caller1")["calls"] == 1);  // it was ended
}

TEST_CASE("callers: if all are busy, one more is refused") {
    Workers workers;
    std::stop_source stop;
    std::vector<std::future<Result<Outcome>>> calls;
    for (std::size_t i = 0; i < kMaxWorkers; ++i) {
        auto host = std::make_shared<EmittingHost>();
        auto started = host->started.get_future();
        workers.caller = "caller" + std::to_string(i);
        calls.push_back(std::async(std::launch::async, [&workers, host, &stop] {
            return workers.call("remembers", R"({"how":"wait"})", host, Stop{stop.get_token(), {}});
        }));
        REQUIRE(started.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
    }
    workers.caller = "one more";
    const auto refused = workers.call("remembers");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::resource_exhausted);
    CHECK(refused.error().message.starts_with("remembers.so has 16 workers"));
    stop.request_stop();
    for (auto& call : calls) CHECK(call.get());
    CHECK(kept(workers, "one more")["calls"] == 1);
}

TEST_CASE("callers: crashes block only the caller that caused them and are not stored") {
    Workers workers;
    workers.settings().max_crashes = 2;
    for (int i = 0; i < 2; ++i)
        CHECK(code_of(workers, "ann", "crasher", crash("signal")) == ErrorCode::plugin_crashed);
    CHECK(code_of(workers, "ann", "crasher", crash("signal")) == ErrorCode::plugin_quarantined);
    CHECK(workers.quarantine().all().empty());
    CHECK(code_of(workers, "bob", "crasher", crash("signal")) == ErrorCode::plugin_crashed);
    // Crashes for the single user are stored, and then apply to everyone.
    for (int i = 0; i < 2; ++i)
        CHECK(code_of(workers, "", "crasher", crash("signal")) == ErrorCode::plugin_crashed);
    CHECK(workers.quarantine().all().size() == 1);
    CHECK(code_of(workers, "bob", "crasher", crash("signal")) == ErrorCode::plugin_quarantined);
}

TEST_CASE("callers: a caller that crashed a shared worker has its own for a while") {
    Workers workers;
    workers.caller = "ann";
    CHECK(workers.call("forks_quietly"));
    CHECK(workers.isolated->workers() == 1);
    CHECK(code_of(workers, "ann", "forks_quietly", crash("crash")) == ErrorCode::plugin_crashed);
    CHECK(become([&] { return workers.isolated->workers() == 0; }, std::chrono::seconds(20)));
    for (const char* caller : {"ann", "bob", "eve", "ann"}) {
        workers.caller = caller;
        CHECK(workers.call("forks_quietly"));
    }
    CHECK(workers.isolated->workers() == 2);
}

TEST_CASE(
    "principals: one with many sessions ends its own workers, and others' below their share") {
    Workers workers;
    const auto session = [&](const std::string& principal, std::size_t number) {
        return kept(workers, principal + std::to_string(number), principal)["calls"];
    };
    CHECK(session("bob", 0) == 1);
    for (std::size_t i = 0; i < kMaxWorkers - 1; ++i) CHECK(session("ann", i) == 1);
    // Ann has more than her share: bob's worker was idle longer, but is kept.
    for (std::size_t i = 0; i < 4; ++i) CHECK(session("ann", 100 + i) == 1);
    CHECK(session("bob", 0) == 2);
    CHECK(session("ann", 103) == 2);
    // Up to his share bob displaces hers, beyond it his own.
    for (std::size_t i = 1; i < kMaxWorkers / 2; ++i) CHECK(session("bob", i) == 1);
    CHECK(session("bob", 0) == 3);
    CHECK(session("ann", 103) == 3);
    CHECK(session("bob", 8) == 1);
    CHECK(session("ann", 103) == 4);
    CHECK(session("bob", 0) == 4);
    CHECK(session("bob", 1) == 1);  // it was ended
    CHECK(become([&] { return workers.isolated->workers() == kMaxWorkers; },
                 std::chrono::seconds(20)));
}

TEST_CASE("principals: more of them than workers displace one another") {
    Workers workers;
    for (std::size_t i = 0; i <= kMaxWorkers; ++i) {
        const auto name = std::to_string(i);
        CHECK(kept(workers, "session" + name, "principal" + name)["calls"] == 1);
    }
    CHECK(kept(workers, "session1", "principal1")["calls"] == 2);
    CHECK(kept(workers, "session0", "principal0")["calls"] == 1);  // it was ended
}

TEST_CASE(
    "principals: a new session does not reset the count, and other principals have their own") {
    Workers workers;
    workers.settings().max_crashes = 2;
    const auto crashes = [&](const char* caller, const char* principal) {
        return code_of(workers, caller, "crasher", crash("signal"), principal);
    };
    CHECK(crashes("session1", "ann") == ErrorCode::plugin_crashed);
    CHECK(crashes("session2", "ann") == ErrorCode::plugin_crashed);
    CHECK(crashes("session3", "ann") == ErrorCode::plugin_quarantined);
    CHECK(crashes("session4", "bob") == ErrorCode::plugin_crashed);
    CHECK(workers.quarantine().all().empty());
}

TEST_CASE("principals: a crash that ends others' calls blocks only the principal that continues") {
    Workers workers;
    workers.all_share = true;
    workers.settings().max_crashes = 1;
    auto host = std::make_shared<EmittingHost>();
    auto started = host->started.get_future();
    workers.caller = "session1", workers.principal = "bob";
    auto waits = std::async(std::launch::async, [&workers, host] {
        return workers.call("remembers", R"({"how":"wait"})", host);
    });
    REQUIRE(started.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
    const auto crashes = [&] {
        return code_of(workers, "session2", "remembers", crash("crash"), "ann");
    };
    CHECK(crashes() == ErrorCode::plugin_crashed);
    CHECK(waits.get().error().code == ErrorCode::plugin_crashed);
    CHECK(workers.isolated->crashes() == 1);
    // Both now have their own worker, in any session.
    CHECK(kept(workers, "session3", "bob")["calls"] == 1);
    CHECK(kept(workers, "session4", "bob")["calls"] == 2);
    CHECK(crashes() == ErrorCode::plugin_crashed);
    CHECK(kept(workers, "session3", "bob")["calls"] == 3);
    CHECK(crashes() == ErrorCode::plugin_quarantined);
    CHECK(kept(workers, "session3", "bob")["calls"] == 4);
}
