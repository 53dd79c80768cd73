// HTTPS with valid and invalid certificates, and certificates for another host.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

void yes(const ReceivedRequest&, Wire& wire) {
    wire.answer(200, "", "secure");
}

TEST_SUITE("tls") {
    TEST_CASE("an operator's certificate is trusted for its own name only") {
        const Identity identity = Identity::make("IP:127.0.0.1");
        const Identity elsewhere = Identity::make("DNS:elsewhere.example");
        const Server server(yes, &identity), wrong(yes, &elsewhere);
        const HttpStage stage;
        write_file(stage.workspace() / "ca.pem", identity.certificate + elsewhere.certificate);
        for (const char* isolation : kIsolations) {
            CAPTURE(std::string(isolation));
            const auto trusted =
                stage.calls({get(server.url(), {{"metrics", true}}), get(wrong.url())},
                            {.policy = "private_addresses: [127.0.0.1], ca_file: ca.pem",
                             .isolation = isolation});
            CAPTURE(trusted[0].dump());
            CHECK(output(trusted[0])["body"] == "secure");
            CHECK(output(trusted[0])["metrics"]["tls"] > 0);
            CHECK(ending(trusted[1]) == "tool_failed");
            CHECK(contains(message(trusted[1]), "certificate"));

            const auto unknown = stage.call(get(server.url()), {.isolation = isolation});
            CHECK(ending(unknown) == "tool_failed");
            CHECK(contains(message(unknown), "TLS: the certificate was refused"));
            CHECK(contains(message(unknown), "ca_file"));
        }
        CHECK(wrong.asked().empty());
    }

    TEST_CASE("without verification, if the policy allows it") {
        const Identity identity = Identity::make("DNS:elsewhere.example");
        const Server server(yes, &identity);
        const auto result =
            HttpStage().call(get(server.url(), {{"verify_ssl", false}}),
                             {.policy = "private_addresses: [127.0.0.1], allow_insecure: true"});
        CHECK(output(result)["body"] == "secure");
    }

    TEST_CASE("plain HTTP instead of TLS, and vice versa") {
        const Identity identity = Identity::make("IP:127.0.0.1");
        const Server secure(yes, &identity), plain(yes);
        const HttpStage stage;
        const std::string https = "https" + plain.url().substr(4);
        const std::string http = "http" + secure.url().substr(5);
        const Json once{{"session_config", {{"max_retries", 0}}}};
        const auto results = stage.calls({get(https, once), get(http, once)});
        CHECK(contains(message(results[0]), "TLS: no secure connection"));
        CHECK(ending(results[1]) == "tool_failed");
    }
}

}  // namespace
}  // namespace toolhost::test
