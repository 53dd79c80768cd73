// During a request: parts, progress, retries, timeouts, cancellation, failures.
#include <doctest/doctest.h>

#include <atomic>

#include "tests/tools/cancel.hpp"
#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("running") {
    TEST_CASE("parts arrive before the result, whole characters each") {
        const Server server([](const ReceivedRequest&, Wire& wire) {
            wire.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                "Transfer-Encoding: chunked\r\n\r\n4\r\nab\xC3\xA9\r\n");
            wire.send("3\r\nc\xE6\x97\r\n");
            wire.send("2\r\n\xA5z\r\n0\r\n\r\n");
        });
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            const auto lines =
                stage.stream(get(server.url(), {{"streaming", true}}), {.isolation = isolation});
            std::string parts;
            for (const auto& line : lines)
                if (line.value("emit", "") == "text") parts += line.at("data").get<std::string>();
            CHECK(parts == "ab\u00e9c\u65e5z");
            CHECK(output(lines.back())["body"] == "ab\u00e9c\u65e5z");
        }
    }

    TEST_CASE("a slow download shows its progress, and binary ones have no parts") {
        const Server server([](const ReceivedRequest&, Wire& wire) {
            wire.send("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 40\r\n\r\n");
            for (int i = 0; i < 4; ++i) {
                std::this_thread::sleep_for(
                    std::chrono::milliseconds(110));  // progress is reported by time
                wire.send(std::string(10, 'x'));
            }
        });
        const auto lines = HttpStage().stream(get(server.url(), {{"streaming", true}}));
        std::size_t told = 0;
        for (const auto& line : lines) {
            CHECK(line.value("emit", "") != "text");
            if (line.value("emit", "") != "progress") continue;
            ++told;
            CHECK(line.at("data").at("total") == 40);
        }
        CHECK(told >= 2);
    }

    TEST_CASE("a server that is busy at first") {
        std::atomic<int> count{0};
        const Server server([&](const ReceivedRequest&, Wire& wire) {
            if (count++ == 0)
                wire.answer(503, "Retry-After: 0\r\n", "");
            else
                wire.answer(200, "", "now");
        });
        const HttpStage stage;
        const Json result = stage.call(get(server.url()));
        CHECK(output(result)["body"] == "now");
        CHECK(output(result)["retries"] == 1);
        count = 0;
        const Json once = stage.call(get(server.url(), {{"session_config", {{"max_retries", 0}}}}));
        CHECK(output(once)["status"] == 503);
    }

    TEST_CASE("its own timeout, and the host's") {
        const Server server([](const ReceivedRequest&, Wire& wire) { wire.await_gone(); });
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            const Json own =
                stage.call(get(server.url(), {{"timeout", 0.1}}), {.isolation = isolation});
            CHECK(ending(own) == "tool_failed");
            CHECK(contains(message(own), "timed out"));
        }
        const Json host = stage.call(get(server.url()),
                                     {.policy = "private_addresses: [127.0.0.1], timeoutMs: 400"});
        CHECK(ending(host) == "tool_failed");  // the tool times out shortly before the host
        CHECK(contains(message(host), "larger timeout"));
    }

    TEST_CASE("Ctrl-C ends a slow download within 100 ms, in both isolations") {
        const Server server([](const ReceivedRequest&, Wire& wire) {
            wire.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nhere");
            wire.await_gone();
        });
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const auto profile =
                stage.write_profile({.isolation = isolation, .more = kLongGracePeriod});
            check_cancel(stage.stage(),
                         {"call", "http_request", "method=GET", "url=" + server.url(),
                          "streaming=true", "--stream", "--profile", profile.string()},
                         "here");
        }
    }

    TEST_CASE("trouble is told, and the next call goes well") {
        const Server server([](const ReceivedRequest& asked, Wire& wire) {
            if (asked.target == "/cut")
                wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            else if (asked.target == "/loop")
                return wire.answer(302, "Location: /loop\r\n", "");
            else
                return wire.answer(200, "", "well");
            wire.close();
        });
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            const auto results = stage.calls(
                {get(server.url("/cut")), get(server.url("/loop"), {{"max_redirects", 3}}),
                 get(server.url("/loop"), {{"allow_redirects", false}}), get(server.url("/"))},
                {.isolation = isolation});
            CHECK(contains(message(results[0]), "cut before the end of the body"));
            CHECK(contains(message(results[1]), "more than 3 redirects"));
            CHECK(output(results[2])["status"] == 302);
            CHECK(output(results[3])["body"] == "well");
        }
    }

    TEST_CASE("many concurrent requests") {
        const Server server(
            [](const ReceivedRequest& asked, Wire& wire) { wire.answer(200, "", asked.target); });
        const HttpStage stage;
        std::string lines;
        for (int i = 0; i < 24; ++i)
            lines +=
                Json{{"tool", "http_request"}, {"input", get(server.url("/" + std::to_string(i)))}}
                    .dump() +
                '\n';
        const auto run = stage.stage().run(
            {"call", "--batch", "-", "--jobs", "8", "--profile", stage.write_profile({}).string()},
            {.input = lines});
        const auto results = lines_of(run.out);
        REQUIRE(results.size() == 24);
        for (std::size_t i = 0; i < results.size(); ++i)
            CHECK(output(Json::parse(results[i]))["body"] == "/" + std::to_string(i));
    }
}

}  // namespace
}  // namespace toolhost::test
