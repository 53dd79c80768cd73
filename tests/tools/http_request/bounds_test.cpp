// A server's metadata cannot prevent the result of a request that was made.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

void answer_too_much(const ReceivedRequest& asked, Wire& wire) {
    const auto& at = asked.target;
    auto typed = [&](const char* type, std::string_view body) {
        wire.answer(200, std::string("Content-Type: ") + type + "\r\n", body);
    };
    if (at.rfind("/hop", 0) == 0) {
        const int left = std::atoi(at.c_str() + 4);
        const std::string to = left > 0 ? "/hop" + std::to_string(left - 1) : "/end";
        return wire.answer(302, "Location: " + to + "?" + std::string(6000, 'q') + "\r\n", "");
    }
    if (at == "/reason")
        return wire.send("HTTP/1.1 200 " + std::string(60000, 'r') +
                         "\r\nContent-Length: 2\r\n\r\nok");
    if (at == "/text") return typed("text/plain", std::string(9000, '"'));
    if (at == "/headers")
        return wire.answer(200, "X-Long: " + std::string(3500, '"') + "\r\n", "ok");
    if (at == "/inf") return typed("application/json", R"({"n": 1e999})");
    if (at == "/big") return typed("application/json", R"({"id": 123456789012345678901234})");
    typed("text/plain", "the end");
}

TEST_SUITE("bounds") {
    TEST_CASE("long URLs, reasons, headers and bodies are cut, and the answer arrives") {
        const Server server(answer_too_much);
        const HttpStage stage;
        for (const char* limit : {"20000", "2000", "600"}) {
            CAPTURE(std::string(limit));
            const auto results =
                stage.calls({get(server.url("/hop8")), get(server.url("/reason")),
                             get(server.url("/text")), get(server.url("/headers"))},
                            {.isolation = std::string("process, maxOutputChars: ") + limit});
            for (const auto& result : results) {
                CHECK(ending(result) == "");
                CHECK(output(result).dump().size() <= std::stoul(limit));
                CHECK(output(result)["status"] == 200);
            }
            CHECK(contains(texts(results[0]), "Redirects: 9 followed"));
        }
    }

    TEST_CASE("a body that fits is in the JSON block, whatever the limit is") {
        const Server server(answer_too_much);
        const Json result = HttpStage().call(get(server.url("/text")),
                                             {.isolation = "process, maxOutputChars: 40000"});
        CHECK(output(result)["body"] == std::string(9000, '"'));
    }

    TEST_CASE("numbers that the JSON block cannot represent") {
        const Server server(answer_too_much);
        const auto results = HttpStage().calls({get(server.url("/inf")), get(server.url("/big"))});
        CHECK(output(results[0])["body"] == R"({"n": 1e999})");
        CHECK(contains(texts(results[0]), "a number that is too large"));
        CHECK(texts(results[0]).find("not valid JSON") == std::string::npos);
        CHECK(contains(texts(results[1]), "exceeds 64 bits"));
        CHECK(contains(texts(results[1]), "123456789012345678901234"));
    }
}

}  // namespace
}  // namespace toolhost::test
