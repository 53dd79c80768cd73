// Consent questions and their content; and the origins that may get a token.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

void agree(const ReceivedRequest&, Wire& wire) {
    wire.answer(200, "", "yes");
}

const std::string kHere = "private_addresses: [127.0.0.1]";

TEST_SUITE("consent") {
    TEST_CASE("the case of a method is ignored in both lists") {
        const Server server(agree);
        const HttpStage stage;
        const Json post{{"method", "POST"}, {"url", server.url()}, {"body", "data"}};
        const auto denied = stage.call(
            post, {.policy = kHere + ", consent_methods: [post]", .more = "consent: deny\n"});
        CHECK(ending(denied) == "consent_denied");
        CHECK(server.asked().empty());
        const auto allowed =
            stage.call(get(server.url()), {.policy = kHere + ", allowed_methods: [get]"});
        CHECK(ending(allowed).empty());
        const auto run = stage.stage().run(
            {"call", "http_request", "-", "--profile",
             stage.write_profile({.policy = kHere + ", consent_methods: ['PO ST']"}).string()},
            {.input = post.dump()});
        CHECK(run.exit_code == 3);
    }

    TEST_CASE("requests that can change something need consent, unless the policy lists them") {
        const Server server(agree);
        const HttpStage stage;
        auto ended = [&](const char* method, const std::string& more) {
            return ending(stage.call(
                {{"method", method}, {"url", server.url()}},
                {.policy = kHere + ", allowed_methods: [GET, OPTIONS, PURGE, MKCOL]" + more,
                 .more = "consent: deny\n"}));
        };
        CHECK(ended("PURGE", "") == "consent_denied");
        CHECK(ended("mkcol", "") == "consent_denied");
        CHECK(server.asked().empty());
        CHECK(ended("GET", "").empty());
        CHECK(ended("OPTIONS", "").empty());
        CHECK(ended("PURGE", ", consent_methods: [MKCOL]").empty());
        CHECK(ended("MKCOL", ", consent_methods: [MKCOL]") == "consent_denied");
        CHECK(ended("GET", ", consent_methods: [GET]") == "consent_denied");
    }

    TEST_CASE("the consent question shows the size of the body and the headers") {
        const Server server(agree);
        const HttpStage stage;
        auto question = [&](const std::string& body) {
            const Json result = stage.call({{"method", "POST"},
                                            {"url", server.url()},
                                            {"body", body},
                                            {"headers", {{"X-Run-As", "root"}}},
                                            {"auth_type", "Bearer"},
                                            {"auth_token", "hidden-token"}});
            return result.at("error").at("details").at("interrupt").at("reason");
        };
        // The cut would be within a character.
        const Json asked = question(std::string(499, 'a') + "\u00e9" + std::string(1000, 'b'));
        CHECK(asked.at("body") == std::string(499, 'a'));
        CHECK(asked.value("body_bytes", 0) == 1501);
        CHECK(asked.value("body_cut", false));
        CHECK(contains(asked.at("message").get<std::string>(), "499 of the body's 1501 bytes"));
        CHECK(asked.value("headers", Json()) == Json{"X-Run-As", "Authorization"});
        CHECK(asked.dump().find("hidden-token") == std::string::npos);
        const Json whole = question("short");
        CHECK(whole.at("body") == "short");
        CHECK(whole.value("body_bytes", 0) == 5);
        CHECK_FALSE(whole.value("body_cut", true));
    }
}

TEST_SUITE("tokens") {
    TEST_CASE("a token is sent to an origin: https on its default port, or the named origin") {
        const Server server(agree);
        const HttpStage stage;
        const std::string port = std::to_string(server.port());
        auto ended = [&](const std::string& entry) {
            return ending(
                stage.call(get(server.url(), {{"auth_type", "Bearer"}, {"auth_env_var", "T_KEY"}}),
                           {.policy = kHere + ", env_tokens: {T_KEY: ['" + entry + "']}",
                            .more = "environment: [T_KEY]\n"},
                           {.env = {{"T_KEY", "secret"}}}));
        };
        CHECK(ended("127.0.0.1") == "token_not_allowed");
        CHECK(ended("*") == "token_not_allowed");
        CHECK(ended("https://127.0.0.1:" + port) == "token_not_allowed");
        CHECK(ended("http://127.0.0.1") == "token_not_allowed");
        CHECK(ended("http://127.0.0.1:1" + port) == "token_not_allowed");
        CHECK(server.connections() == 0);
        CHECK(ended("http://127.0.0.1:" + port).empty());
        CHECK(server.asked().at(0).header("Authorization") == "Bearer secret");
    }
}

}  // namespace
}  // namespace toolhost::test
