// Small parts of the room, each tested on its own.
#include <spdlog/logger.h>

#include <thread>

#include "host/base/json_text.hpp"
#include "host/call/batch.hpp"
#include "host/call/event_log.hpp"
#include "host/call/events.hpp"
#include "host/call/redaction.hpp"
#include "host/call/stats.hpp"
#include "host/call/throttle.hpp"
#include "host/os/descriptor.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::call;
using namespace std::chrono_literals;

TEST_CASE("percentiles are right within 3 %") {
    Histogram histogram;
    CHECK(histogram.percentile(0.5) == 0);
    for (std::uint64_t i = 1; i <= 100'000; ++i) histogram.add(i * 10);
    for (double fraction : {0.01, 0.5, 0.9, 0.99, 1.0}) {
        const double exact = fraction * 1'000'000,
                     got = static_cast<double>(histogram.percentile(fraction));
        CAPTURE(fraction);
        CHECK(got >= exact * 0.999);
        CHECK(got <= exact * 1.04);
    }
    Histogram extremes;
    extremes.add(0);
    CHECK(extremes.percentile(1) == 0);
    extremes.add(~std::uint64_t{0});
    CHECK(extremes.percentile(1) >= (std::uint64_t{1} << 39));
    Histogram small;
    for (std::uint64_t i = 0; i < 64; ++i) small.add(i);
    CHECK(small.percentile(1) == 63);
    CHECK(small.percentile(0.5) == 31);
}

TEST_CASE("a rate limit applies to any window") {
    Throttle throttle;
    const policy::RateLimit limit{2, 1000};
    const Throttle::Time start{};
    CHECK(throttle.admit("", limit, start) == 0);
    CHECK(throttle.admit("", limit, start + 900ms) == 0);
    CHECK(throttle.admit("", limit, start + 950ms) == 50);
    CHECK(throttle.admit("", limit, start + 1000ms) == 0);
    CHECK(throttle.admit("", limit, start + 1001ms) == 899);
    // A lower limit also counts earlier calls.
    CHECK(throttle.admit("", {1, 1000}, start + 1500ms) == 500);
}

TEST_CASE("a call waits for a place until its deadline or cancellation") {
    Throttle throttle;
    auto first = throttle.enter("", 1, std::nullopt, {});
    CHECK(first);
    CHECK_FALSE(throttle.enter("", 1, std::chrono::steady_clock::now() + 5ms, {}));
    std::stop_source cancel;
    std::jthread canceller([&] { cancel.request_stop(); });
    CHECK_FALSE(throttle.enter("", 1, std::nullopt, cancel.get_token()));
    std::jthread other([&] { CHECK(throttle.enter("", 1, std::nullopt, {})); });
    first = {};
    other.join();
    CHECK(throttle.enter("", 1, std::chrono::steady_clock::now(), {}));
}

TEST_CASE("each principal has its own rate, and idle ones are removed") {
    Throttle throttle;
    const policy::RateLimit limit{1, 1000};
    const Throttle::Time start{};
    CHECK(throttle.admit("ann", limit, start) == 0);
    CHECK(throttle.admit("ann", limit, start) == 1000);
    CHECK(throttle.admit("bob", limit, start) == 0);
    auto place = throttle.enter("stays", 1, std::nullopt, {});
    for (int i = 0; i < 5000; ++i)
        CHECK(throttle.admit(std::to_string(i), limit, start + i * 100ms) == 0);
    CHECK(throttle.principals() <= 64);
    place = {};
    CHECK(throttle.enter("stays", 1, std::nullopt, {}));
}

TEST_CASE("a free place goes to the principal with the fewest calls, then to the longest waiting") {
    Throttle throttle;
    std::vector<os::FairPlaces::Place> held;
    for (int i = 0; i < 2; ++i) held.push_back(throttle.enter("ann", 2, std::nullopt, {}));
    std::mutex mutex;
    std::vector<std::string> entered;
    const auto wait_for_place = [&](const std::string& principal) {
        const auto before = throttle.waiting();
        std::jthread waiter([&, principal] {
            const auto place = throttle.enter(principal, 2, std::nullopt, {});
            const std::lock_guard lock(
                mutex);  // while it holds its place, so that the order is theirs
            entered.push_back(principal);
        });
        while (throttle.waiting() == before) std::this_thread::yield();
        return waiter;
    };
    {
        const auto first = wait_for_place("ann"), second = wait_for_place("bob"),
                   third = wait_for_place("eve");
        held.pop_back();  // ann still has the other one
    }
    CHECK(entered == std::vector<std::string>{"bob", "eve", "ann"});
}

TEST_CASE("redaction hides names at any depth and pointers, and nothing else") {
    const Redaction redaction({"*token*", "pass?", "/a/b", "/bad~", "[", "/list/0"});
    const Json input =
        Json::parse(R"({"a":{"b":1,"c":2},"AuthToken":"x","list":["y",{"pass1":[1]}],"passer":3})");
    CHECK(
        Json::parse(redaction.of(input).value()) ==
        Json::parse(
            R"({"a":{"b":"[redacted]","c":2},"AuthToken":"[redacted]","list":["[redacted]",{"pass1":"[redacted]"}],"passer":3})"));
    CHECK_FALSE(redaction.of(Json{{"x", 1}}));
    CHECK_FALSE(redaction.of(5));
    const Redaction beyond({"/a/99999999999999999999999"});  // an index that exceeds any integer
    CHECK_FALSE(beyond.of(Json{{"a", {1}}}));
}

TEST_CASE("events are valid JSON with any content, and visible after a flush") {
    test::TempFolder folder;
    auto log = open_event_log(folder / "e.jsonl");
    REQUIRE(log);
    const Events events(*log);
    const Subject subject{"naïve\x01", "1.0.0", "p"};
    const CallIdentity call{"id \"1\"\n", "", "", &subject};
    events.tool_before(call, R"({"a":1})", false);
    events.tool_before(call, '"' + std::string(9000, 'x') + '"', true);
    const Error error{ErrorCode::policy_denied, "no\tway", {}};
    events.policy_deny(call, "because", error);
    events.tool_after(call, &error, 12, 34, ran_fields(runtime::Isolation::process, "full"));
    (*log)->flush();
    std::string text;
    REQUIRE(os::read_file(folder / "e.jsonl", 1u << 20, text));
    std::vector<Json> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        lines.push_back(Json::parse(text.substr(at, end - at)));
        at = end + 1;
    }
    REQUIRE(lines.size() == 5);
    for (const auto& line : lines) {
        CHECK(line["toolUseId"] == call.use_id);
        CHECK(line["tool"] == subject.tool);
        CHECK(line["version"] == "1.0.0");
        CHECK(line["profile"] == "p");
    }
    CHECK(lines[0]["input"] == Json{{"a", 1}});
    CHECK(lines[1]["inputBytes"] == 9002);
    CHECK(lines[2]["event"] == "hook.policy.before");
    CHECK(lines[3]["message"] == "no\tway");
    CHECK(lines[4]["durationUs"] == 12);
    const auto none = open_event_log("/no/such/folder/e");
    REQUIRE(none.has_error());
    CHECK(none.error().code == ErrorCode::file_error);
}

TEST_CASE("lines from many threads are not mixed, even beyond the buffer") {
    test::TempFolder folder;
    {
        auto log = open_event_log(folder / "e.jsonl");
        REQUIRE(log);
        std::vector<std::jthread> writers;
        for (int i = 0; i < 4; ++i)
            writers.emplace_back([&, i] {
                const std::string line(5000, static_cast<char>('a' + i));
                for (int k = 0; k < 600; ++k) (*log)->info(line);
            });
    }
    std::string text;
    REQUIRE(os::read_file(folder / "e.jsonl", 64u << 20, text));
    CHECK(text.size() == 4u * 600 * 5001);
    bool whole = true;
    for (std::size_t at = 0; at < text.size(); at += 5001)
        whole =
            whole && text[at + 5000] == '\n' && text.find_first_not_of(text[at], at) == at + 5000;
    CHECK(whole);
}

TEST_CASE("a result's text is its document's") {
    ToolResult good{"id \"1\"", {{ContentKind::text, "\x01 \xff"}}, {}, Truncation{3, 7}};
    CHECK(good.text() == dump(good.json()));
    const auto bad = error_result("id", {ErrorCode::tool_failed, "no", {{"a", 1}}});
    CHECK(bad.text() == dump(bad.json()));
}

TEST_CASE("a request of a batch") {
    auto use = parse_request(
        R"({"tool":"t","input":[1],"toolUseId":"i","state":{"s":1},"answers":{"a":2}})", 1);
    REQUIRE(use);
    CHECK(use->reference == "t");
    CHECK(use->input == Json{1});
    CHECK(use->use_id == "i");
    CHECK(use->state == R"({"s":1})");
    CHECK(use->answers.at("a").value == 2);
    CHECK(use->attempt == 1);
    CHECK(parse_request(R"({"name":"t"})", 1)->input == Json::object());
    for (const char* bad : {"", "[]", "{}", R"({"tool":1})", R"({"tool":"t","state":1})",
                            R"({"tool":"t","colour":"blue"})"}) {
        CAPTURE(bad);
        auto refused = parse_request(bad, 7);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message.starts_with("line 7: "));
    }
}
