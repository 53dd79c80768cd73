// What a human is asked about, and what is shown.
#include <doctest/doctest.h>

#include "tests/tools/http_request/stage.hpp"

namespace toolhost::test {
namespace {

void agree(const Asked&, Wire& wire) {
    wire.answer(200, "", "yes");
}

const std::string kHere = "private_addresses: [127.0.0.1]";

TEST_SUITE("consent") {
    TEST_CASE("a method's case does not matter, in neither list") {
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

    TEST_CASE("whatever does not only read is asked about, unless the policy lists what is") {
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
}

}  // namespace
}  // namespace toolhost::test
