// Communication between a caller of runtime::Isolated and the plugin in its worker.
#include <future>

#include "tests/unit/runtime/workers.hpp"

using namespace toolhost;
using namespace toolhost::loading;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::worker;
using namespace toolhost::runtime;

namespace {

// Calls the library again from within each call, once many are running.
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

TEST_CASE("isolated: requests of a plugin to the host are answered") {
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

TEST_CASE("isolated: more calls than lanes that all call their own library complete") {
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

TEST_CASE("isolated: an error of the embedding program is not attributed to the plugin") {
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

TEST_CASE("isolated: large messages arrive complete in both directions") {
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

TEST_CASE("isolated: a message over the limit is refused and the worker survives") {
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
