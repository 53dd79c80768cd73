// Results of allowed requests.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

void serve(const ReceivedRequest& asked, Wire& wire) {
    const auto& at = asked.target;
    auto typed = [&](const char* type, std::string_view body) {
        wire.answer(
            200,
            std::string("Content-Type: ") + type + "\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n",
            body);
    };
    if (at == "/json") return typed("application/json", R"({"a":[1,2.5,"é"]})");
    if (at == "/bad-json") return typed("application/json", "{nope");
    if (at == "/deep") return typed("application/json", std::string(5000, '['));
    if (at == "/latin") return typed("text/plain; charset=iso-8859-1", "caf\xE9");
    if (at == "/odd") return typed("text/plain; charset=x-odd", "plain");
    if (at == "/page")
        return typed("text/html", "<html><script>x</script><h1>T</h1><a href='y'>l</a>");
    if (at == "/png") return typed("image/png", "\x89PNG\r\n\x1A\n1234");
    if (at == "/files/report.pdf") return typed("application/pdf", "%PDF-1.4 x");
    if (at == "/long") return typed("text/plain", std::string(50000, 'x'));
    if (at == "/many") {
        std::string headers;
        for (int i = 0; i < 60; ++i)
            headers += "X-" + std::to_string(i) + ": " + std::string(500, 'h') + "\r\n";
        return wire.answer(200, headers, "x");
    }
    if (at == "/empty") return wire.send("HTTP/1.1 204 No Content\r\nX-Bytes: \xE9\r\n\r\n");
    if (at == "/missing") return wire.answer(404, "", "not here");
    if (at == "/moved") return wire.answer(301, "Location: /json\r\n", "");
    wire.answer(200, "", asked.head + asked.body);
}

TEST_SUITE("answers") {
    TEST_CASE("status, headers and body, in both isolations alike") {
        const Server server(serve);
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const auto results = stage.calls(
                {get(server.url("/json")), get(server.url("/missing")), get(server.url("/empty")),
                 get(server.url("/moved")), get(server.url("/bad-json")), get(server.url("/deep"))},
                {.isolation = isolation});
            const Json json = output(results[0]);
            CHECK(json["status"] == 200);
            CHECK(json["reason"] == "Said");
            CHECK(json["ok"] == true);
            CHECK(json["url"] == server.url("/json"));
            CHECK(json["body"] == Json::parse(R"({"a":[1,2.5,"é"]})"));
            CHECK(json["body_kind"] == "json");
            CHECK(json["headers"]["set-cookie"] == "a=1, b=2");
            CHECK(contains(texts(results[0]), "Status Code: 200 Said\nHeaders: {"));
            CHECK(contains(texts(results[0]), "Body: {\"a\":"));
            CHECK(ending(results[1]).empty());
            CHECK(output(results[1])["status"] == 404);
            CHECK(output(results[1])["ok"] == false);
            CHECK(output(results[1])["body"] == "not here");
            CHECK(output(results[2])["status"] == 204);
            CHECK(output(results[2])["body_kind"] == "none");
            CHECK(output(results[2])["headers"]["x-bytes"] == "\u00e9");
            CHECK_FALSE(output(results[2]).contains("body"));
            CHECK(output(results[3])["redirects"][0]["status"] == 301);
            CHECK(contains(texts(results[3]), "Redirects: 1 followed (301 -> 200)"));
            CHECK(contains(texts(results[4]), "Note: the body is declared as JSON, but is not"));
            CHECK(output(results[4])["body"] == "{nope");
            CHECK(output(results[5])["body_kind"] == "text");
        }
    }

    TEST_CASE("text in other encodings, pages, images, documents, long bodies") {
        const Server server(serve);
        const HttpStage stage;
        const auto results = stage.calls(
            {get(server.url("/latin")), get(server.url("/odd")), get(server.url("/page")),
             get(server.url("/page"), {{"convert_to_markdown", true}}), get(server.url("/png")),
             get(server.url("/files/report.pdf")), get(server.url("/long")),
             get(server.url("/many"))});
        CHECK(output(results[0])["body"] == "caf\u00e9");
        CHECK(output(results[0])["charset"] == "windows-1252");
        CHECK(contains(texts(results[1]), "charset 'x-odd' is unknown"));
        CHECK(output(results[2])["body_kind"] == "html");
        CHECK(output(results[3])["body_kind"] == "markdown");
        CHECK(output(results[3])["body"] == "# T\n\n[l](" + server.url("/y") + ")\n");
        CHECK(block(results[4], "image")["format"] == "png");
        CHECK(block(results[4], "image")["source"]["bytes"] == "iVBORw0KGgoxMjM0");
        CHECK(block(results[5], "document")["name"] == "report");
        CHECK(block(results[5], "document")["format"] == "pdf");
        CHECK(output(results[5])["bytes"] == 10);
        CHECK_FALSE(output(results[6]).contains("body"));
        CHECK(contains(texts(results[6]), "it is in the text block"));
        CHECK(contains(texts(results[6]), "[truncated: "));
        CHECK(contains(texts(results[7]), "headers were omitted"));
    }

    TEST_CASE("sent bodies, headers and authentication") {
        const Server server(serve);
        const HttpStage stage;
        fs::create_directory(stage.workspace() / "sub");
        write_file(stage.workspace() / "sub/jar.txt",
                   "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t42\n");
        auto with = [&](Json more) {
            more["method"] = more.value("method", "post");
            more["url"] = server.url("/echo");
            return more;
        };
        const auto results = stage.calls(
            {with({{"json_data", {{"k", {1, nullptr}}}}}),
             with({{"body", "a=1"},
                   {"headers", {{"Content-Type", "application/x-www-form-urlencoded"}}}}),
             with({{"auth_type", "Bearer"}, {"auth_token", "t"}}),
             with({{"auth_type", "token"}, {"auth_token", "t"}}),
             with({{"auth_type", "custom"}, {"auth_token", "Scheme t"}}),
             with({{"auth_type", "api_key"}, {"auth_token", "t"}}),
             with({{"auth_type", "basic"}, {"basic_auth", {{"username", "u"}, {"password", "p"}}}}),
             with({{"auth_type", "jwt"}, {"jwt_config", {{"secret", "s"}}}}),
             with({{"auth_type", "aws_sig_v4"},
                   {"aws_auth",
                    {{"service", "s3"},
                     {"region", "eu-west-1"},
                     {"access_key", "AK"},
                     {"secret_key", "sk"},
                     {"session_token", "st"}}}}),
             with({{"auth_type", "Bearer"}, {"auth_env_var", "TEST_TOKEN"}}),
             with({{"method", "get"}, {"cookie", "sub/jar.txt"}})},
            {.policy =
                 "private_addresses: [127.0.0.1], env_tokens: {TEST_TOKEN: ['http://127.0.0.1:" +
                 std::to_string(server.port()) + "']}",
             .more = "consent: bypass\nenvironment: [TEST_TOKEN]\n"},
            {.env = {{"TEST_TOKEN", "from-env"}}});
        const char* expected[] = {"{\"k\":[1,null]}",
                                  "\r\n\r\na=1",
                                  "Authorization: Bearer t\r\n",
                                  "Authorization: token t\r\n",
                                  "Authorization: Scheme t\r\n",
                                  "X-API-Key: t\r\n",
                                  "Authorization: Basic dTpw\r\n",
                                  "Authorization: Bearer eyJ",
                                  "Authorization: AWS4-HMAC-SHA256",
                                  "Authorization: Bearer from-env\r\n",
                                  "Cookie: sid=42\r\n"};
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(results[i].dump());
            CHECK(contains(output(results[i])["body"].get<std::string>(), expected[i]));
        }
        CHECK(contains(server.asked()[0].head, "Content-Type: application/json\r\n"));
        CHECK(contains(server.asked()[8].head, "x-amz-security-token: st\r\n"));
        CHECK(server.asked()[10].method == "GET");
    }

    TEST_CASE("metrics") {
        const Server server(serve);
        const Json result = HttpStage().call(get(server.url("/json"), {{"metrics", true}}));
        const Json metrics = output(result)["metrics"];
        CHECK(metrics["duration"] > 0);
        CHECK(metrics["address"] == "127.0.0.1");
        CHECK(metrics["http_version"] == "1.1");
        CHECK(metrics["bytes_received"] == 18);
        CHECK(contains(texts(result), "Metrics: {"));
    }
}

}  // namespace
}  // namespace toolhost::test
