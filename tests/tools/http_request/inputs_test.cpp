// Invalid inputs, each refused with the position of the error.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

TEST_SUITE("inputs") {
    TEST_CASE("each says where and why") {
        const Server server([](const ReceivedRequest&, Wire& wire) { wire.answer(200, "", ""); });
        const std::string here = server.url();
        struct Case {
            Json input;
            const char *place, *why;
        };
        const Case cases[] = {
            {{{"url", here}}, "method", "missing"},
            {{{"method", "GET"}}, "url", "missing"},
            {{{"method", "G T"}, {"url", here}}, "/method", "match"},
            {{{"method", "CONNECT"}, {"url", here}}, "/method", "not supported"},
            {get(""), "/url", "1"},
            {get("127.0.0.1/x"), "/url", "absolute"},
            {get("http://"), "/url", ""},
            {get("http://user:pw@127.0.0.1/"), "/url", "basic_auth"},
            {get("http://127.0.0.1:99999/"), "/url", ""},
            {get(here, {{"headers", {{"Host", "x"}}}}), "/headers/Host", "cannot be given"},
            {get(here, {{"headers", {{"content-length", "1"}}}}), "/headers/content-length", ""},
            {get(here, {{"headers", {{"A b", "x"}}}}), "/headers/A b", "not a valid header name"},
            {get(here, {{"headers", {{"A/b~", "x"}}}}), "/headers/A~1b~0",
             "not a valid header name"},
            {get(here, {{"headers", {{"A", "x\r\nB: y"}}}}), "/headers/A", "one line"},
            {get(here, {{"headers", {{"A", 1}}}}), "/headers/A", "string"},
            {get(here, {{"body", "x"}, {"json_data", 1}}), "/json_data", "together"},
            {get(here, {{"auth_token", "t"}}), "/auth_type", "required with credentials"},
            {get(here, {{"auth_type", "kerberos"}}), "/auth_type", ""},
            {get(here, {{"auth_type", "Bearer"}}), "/auth_token", "requires"},
            {get(here, {{"auth_type", "Bearer"}, {"auth_token", "a\nb"}}), "/auth_token", "line"},
            {get(here, {{"auth_type", "basic"}}), "/basic_auth", "required"},
            {get(here, {{"auth_type", "digest"}}), "/digest_auth", "required"},
            {get(here, {{"auth_type", "jwt"}}), "/jwt_config", "required"},
            {get(here, {{"auth_type", "aws_sig_v4"}}), "/aws_auth", "required"},
            {get(here, {{"basic_auth", {{"username", "u"}}}}), "/basic_auth", "password"},
            {get(here, {{"auth_env_var", "A B"}}), "/auth_env_var", ""},
            {get(here, {{"timeout", 0}}), "/timeout", "0.01"},
            {get(here, {{"timeout", -1}}), "/timeout", "0.01"},
            {get(here, {{"max_redirects", -1}}), "/max_redirects", ""},
            {get(here, {{"session_config", {{"max_retries", -1}}}}), "/session_config", "0"},
            {get(here, {{"cookie", "none.txt"}}), "/cookie", "cannot be read"},
            {get(here, {{"cookie", "."}}), "/cookie", "not a file"},
            {get(here, {{"cookie", "empty.txt"}}), "/cookie", "no cookies"},
            {get(here, {{"verify_ssl", "no"}}), "/verify_ssl", "boolean"},
            {get(here, {{"no_such_field", 1}}), "no_such_field", ""},
        };
        const HttpStage stage;
        write_file(stage.workspace() / "empty.txt", "# none\n");
        std::vector<Json> inputs;
        for (const auto& one : cases) inputs.push_back(one.input);
        const auto results = stage.calls(inputs);
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(cases[i].input.dump());
            CAPTURE(message(results[i]));
            CHECK(ending(results[i]) == "invalid_input");
            CHECK(contains(message(results[i]), cases[i].place));
            CHECK(contains(message(results[i]), cases[i].why));
        }
        CHECK(server.connections() == 0);
    }

    // Callers may request more than the maximum, which then applies.
    TEST_CASE("more time, retries and redirects than allowed mean the maximum") {
        std::atomic<int> count{0};
        const Server server([&](const ReceivedRequest&, Wire& wire) {
            ++count, wire.answer(503, "Retry-After: 0\r\n", "");
        });
        const auto result =
            HttpStage().call(get(server.url(), {{"timeout", 1e9},
                                                {"max_redirects", 1000},
                                                {"session_config", {{"max_retries", 99}}}}));
        CHECK(ending(result) == "");
        CHECK(output(result)["retries"] == 5);
        CHECK(count == 6);
    }

    TEST_CASE("the spec's examples are valid and shown") {
        const HttpStage stage;
        const auto run = stage.stage().run({"show", "http_request", "--json"});
        const Json shown = run.json();
        CHECK(contains(run.out, "denialReasons"));
        CHECK(contains(run.out, "address_not_allowed"));
        CHECK(stage.stage().run({"check", "http_request"}).exit_code != 70);
    }
}

}  // namespace
}  // namespace toolhost::test
