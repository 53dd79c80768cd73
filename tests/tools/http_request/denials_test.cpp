// What a policy refuses, and that nothing was sent.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"
#include "tests/tools/reasons.hpp"

namespace toolhost::test {
namespace {

void yes(const ReceivedRequest&, Wire& wire) {
    wire.answer(200, "", "yes");
}

TEST_SUITE("denials") {
    TEST_CASE("the default profile refuses private addresses") {
        const Server server(yes);
        const HttpStage stage;
        for (const char* isolation : kIsolations) {
            const std::string port = ':' + std::to_string(server.port()) + '/';
            const auto results = stage.calls(
                {get(server.url()), get("http://localhost" + port), get("http://2130706433" + port),
                 get("http://[::ffff:127.0.0.1]" + port)},
                {.policy = "", .isolation = isolation});
            for (const auto& result : results) {
                CAPTURE(result.dump());
                CHECK(ending(result) == "address_not_allowed");
                CHECK(contains(message(result), "private_addresses"));
            }
        }
        CHECK(server.connections() == 0);
    }

    TEST_CASE("the default profile refuses every spelling of a loopback address") {
        const Server server(yes);
        const HttpStage stage;
        const char* const hosts[] = {"127.0.0.1",
                                     "127.0.1",
                                     "127.1",
                                     "2130706433",
                                     "017700000001",
                                     "0x7f000001",
                                     "0x7F000001",
                                     "0x7f.1",
                                     "0x7f.0.0.1",
                                     "0x7f.0x0.0x0.0x1",
                                     "0177.1",
                                     "0177.0.0.1",
                                     "0177.0.0.01",
                                     "127.255.255.254",
                                     "0",
                                     "0.0.0.0",
                                     "localhost",
                                     "LOCALHOST",
                                     "127.0.0.01",
                                     "%31%32%37.0.0.1",
                                     "%6cocalhost",
                                     "\uff11\uff12\uff17.0.0.1",
                                     "127\u30020\u30020\u30021",
                                     "[::1]",
                                     "[::]",
                                     "[0:0:0:0:0:0:0:1]",
                                     "[::ffff:127.0.0.1]",
                                     "[::ffff:7f00:1]",
                                     "[::127.0.0.1]",
                                     "example.com@127.0.0.1",
                                     "example.com:80@localhost"};
        std::vector<Json> inputs;
        for (const char* host : hosts)
            inputs.push_back(
                get(std::string("http://") + host + ':' + std::to_string(server.port()) + '/'));
        const auto results = stage.calls(inputs, {.policy = ""});
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(inputs[i].dump());
            CAPTURE(results[i].dump());
            const auto how = ending(results[i]);
            const bool refused = how == "address_not_allowed" || how == "invalid_input" ||
                                 how == "bad_input" || how == "credentials_not_allowed";
            CHECK(refused);
        }
        CHECK(server.connections() == 0);
    }

    TEST_CASE("every reason, in both isolations") {
        const Server server(yes);
        const Server other(yes, nullptr, "127.0.0.2");
        const HttpStage stage;
        write_file(stage.stage().root() / "outside.txt", "x");
        fs::create_symlink(stage.stage().root() / "outside.txt", stage.workspace() / "link.txt");
        const std::string here = server.url();
        struct Case {
            std::string policy;
            Json input;
            std::string reason;
        };
        const Json post{{"method", "POST"}, {"url", here}, {"body", "four"}};
        const Json token = get(here, {{"auth_type", "Bearer"}, {"auth_env_var", "TEST_TOKEN"}});
        const Case cases[] = {
            {"", get("ftp://127.0.0.1/"), "scheme_not_allowed"},
            {"", get("file:///etc/passwd"), "scheme_not_allowed"},
            {"", get("http://127.0.0.1:22/"), "port_not_allowed"},
            {"", get(other.url()), "address_not_allowed"},
            {"", get(here, {{"verify_ssl", false}}), "insecure_not_allowed"},
            {"", token, "token_not_allowed"},
            {"", get(here, {{"cookie", "../outside.txt"}}), "path_not_allowed"},
            {"", get(here, {{"cookie", "/etc/passwd"}}), "path_not_allowed"},
            {"", get(here, {{"cookie", "link.txt"}}), "path_not_allowed"},
            {"allowed_schemes: [https]", get(here), "scheme_not_allowed"},
            {"allowed_hosts: [\"*.example.com\"]", get(here), "host_not_allowed"},
            {"denied_hosts: [\"127.*\"]", get(here), "host_not_allowed"},
            {"allowed_ports: [443]", get(here), "port_not_allowed"},
            {"allowed_methods: [GET], max_request_bytes: 4, max_body_bytes: 2", post,
             "method_not_allowed"},
            {"allowed_methods: [GET], max_request_bytes: 4, max_body_bytes: 2", get(here),
             "body_too_large"},
            {"env_tokens: {TEST_TOKEN: [other.example]}, max_request_bytes: 3", token,
             "token_not_allowed"},
            {"env_tokens: {TEST_TOKEN: [other.example]}, max_request_bytes: 3", post,
             "request_too_large"},
        };
        for (const char* isolation : kIsolations)
            for (std::size_t i = 0, next = 0; i < std::size(cases); i = next) {
                std::vector<Json> inputs;  // one host for each policy
                for (next = i; next < std::size(cases) && cases[next].policy == cases[i].policy;)
                    inputs.push_back(cases[next++].input);
                const auto results =
                    stage.calls(inputs,
                                {.policy = "private_addresses: [127.0.0.1]" +
                                           (cases[i].policy.empty() ? "" : ", " + cases[i].policy),
                                 .isolation = isolation,
                                 .more = "consent: bypass\n"},
                                {.env = {{"TEST_TOKEN", "secret"}}});
                for (std::size_t k = 0; k < results.size(); ++k) {
                    CAPTURE(cases[i + k].policy + inputs[k].dump());
                    CHECK(ending(results[k]) == cases[i + k].reason);
                    CHECK_FALSE(message(results[k]).empty());
                }
            }
        std::set<std::string> seen{"consent_denied"};  // below
        for (const auto& one : cases) seen.insert(one.reason);
        check_reasons("http_request", seen);
        CHECK(server.connections() == 2);  // those with responses that were too large
        CHECK(other.connections() == 0);
    }

    TEST_CASE("consent: asked, given, denied, bypassed") {
        const Server server(yes);
        const HttpStage stage;
        const Json post{{"method", "POST"}, {"url", server.url()}, {"body", "data"}};
        auto ended = [&](const std::string& consent, const std::string& policy = "") {
            return ending(stage.call(post, {.policy = "private_addresses: [127.0.0.1]" + policy,
                                            .more = "consent: " + consent + "\n"}));
        };
        CHECK(ended("ask") == "interrupted");
        CHECK(ended("deny") == "consent_denied");
        CHECK(server.asked().empty());
        CHECK(ended("bypass").empty());
        CHECK(ended("ask", ", consent_methods: []").empty());
        CHECK(ended("ask", ", consent_methods: [DELETE]").empty());
        CHECK(server.asked().size() == 3);
        const auto question = stage.call(post).at("error").at("details").at("interrupt");
        CHECK(question.at("reason").at("body") == "data");
        auto answered = [&](const char* answer) {
            return stage.stage().run({"call", "http_request", "-", "--json", "--profile",
                                      stage.write_profile({}).string(), "--answer",
                                      question.at("id").get<std::string>() + "=" + answer},
                                     {.input = post.dump()});
        };
        CHECK(ending(answered("\"no\"").json()) == "consent_denied");
        CHECK(server.asked().size() == 3);
        CHECK(ending(answered("true").json()).empty());
        CHECK(server.asked().size() == 4);
        CHECK(ending(stage.call(get(server.url()), {.more = "consent: deny\n"})).empty());
    }

    TEST_CASE("a redirect is checked like a request") {
        const Server secret(yes, nullptr, "127.0.0.2");
        std::string to;
        const Server server([&](const ReceivedRequest&, Wire& wire) {
            wire.answer(302, "Location: " + to + "\r\n", "");
        });
        const HttpStage stage;
        for (const auto& [where, reason] :
             {std::pair<std::string, const char*>{secret.url(), "address_not_allowed"},
              {"file:///etc/passwd", "scheme_not_allowed"}}) {
            to = where;
            const auto result = stage.call(get(server.url()));
            CHECK(ending(result) == reason);
            CHECK(contains(message(result), "after a redirect to " + where));
        }
        CHECK(secret.connections() == 0);
    }

    TEST_CASE("the kernel denies what is not granted, whatever the policy allows") {
        const Server server(yes);
        const HttpStage stage;
        // Without a grant no socket can be created, whatever the policy says.
        const auto shut = stage.call(get(server.url()),
                                     {.more = "grants: { \"shipped:http_request\": [none] }\n"});
        CHECK(ending(shut) == "grant_missing");
        CHECK(contains(message(shut),
                       "needs the grant network: run toolhost grant http_request network"));
        CHECK(server.connections() == 0);
        // A file outside the workspace, named by the operator: the worker cannot read it.
        write_file(stage.stage().root() / "ca.pem", Identity::make("IP:127.0.0.1").certificate);
        const auto ca =
            stage.call(get("https://127.0.0.1:" + std::to_string(server.port()) + "/"),
                       {.policy = "private_addresses: [127.0.0.1], ca_file: ../ca.pem"});
        CHECK(ending(ca) == "tool_failed");
        CHECK(contains(message(ca), "ca_file"));
    }

    TEST_CASE("an invalid policy is refused when it is loaded") {
        const HttpStage stage;
        for (const char* policy :
             {"private_addresses: [localhost]", "max_body_bytes: -1", "allowed_schemes: [ftp]",
              "no_such_setting: 1", "allowed_hosts: one", "max_redirects: 1000"}) {
            const auto run = stage.stage().run({"call", "http_request", "-", "--profile",
                                                stage.write_profile({.policy = policy}).string()},
                                               {.input = get("http://127.0.0.1/").dump()});
            CAPTURE(run);
            CHECK(run.exit_code == 3);
            CHECK(contains(run.err, "profile.yml:5:"));
        }
    }
}

}  // namespace
}  // namespace toolhost::test
