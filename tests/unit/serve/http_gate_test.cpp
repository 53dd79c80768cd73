#include "host/serve/http/gate.hpp"

#include "tests/unit/doctest.hpp"

using namespace toolhost::serve;

namespace {

struct Caller {
    const char *host, *origin;  // null: missing
    bool comes_in;
};

// The server is also named Tools.Example.org, and trusts one other origin.
constexpr Caller kCallers[] = {
    {"localhost", nullptr, true},
    {"LocalHost:8080", nullptr, true},
    {"localhost.", nullptr, true},
    {"localhost.:80", nullptr, true},
    {"127.0.0.1:1", nullptr, true},
    {"[::1]", nullptr, true},
    {"[::1]:8080", nullptr, true},
    {"tools.example.ORG:443", nullptr, true},
    {nullptr, nullptr, false},
    {"", nullptr, false},
    {":80", nullptr, false},
    {".", nullptr, false},
    {"localhost..", nullptr, false},
    {"127.0.0.2", nullptr, false},
    {"2130706433", nullptr, false},
    {"::1", nullptr, false},
    {"[::1", nullptr, false},
    {"[::1]8080", nullptr, false},
    {"[::1]:8080:9", nullptr, false},
    {"[::ffff:127.0.0.1]", nullptr, false},
    {"localhost:80:80", nullptr, false},
    {"localhost:80@evil.example", nullptr, false},
    {"localhost@evil.example", nullptr, false},
    {"localhost.evil.example", nullptr, false},
    {"evil.example", nullptr, false},
    {"localhost, evil.example", nullptr, false},
    {"localhost", "http://localhost:3000", true},
    {"localhost", "HTTP://LOCALHOST:3000", true},
    {"localhost", "http://[::1]:3000", true},
    {"localhost", "https://tools.example.org", true},
    {"localhost", "https://agents.example.org:8443", true},
    {"localhost", "https://AGENTS.example.org:8443", true},
    {"localhost", "https://agents.example.org", false},
    {"localhost", "http://agents.example.org:8443", false},
    {"localhost", "http://evil.example", false},
    {"localhost", "http://localhost.evil.example", false},
    {"localhost", "http://localhost:80@evil.example", false},
    {"localhost", "http://evil.example/http://localhost", false},
    {"localhost", "null", false},
    {"localhost", "", false},
    {"localhost", "localhost", false},
    {"evil.example", "http://localhost", false},
};

}  // namespace

TEST_CASE("Host and Origin must be this server's, or the request is refused") {
    const HttpGate gate({"Tools.Example.org"}, {"https://agents.example.org:8443"});
    for (const auto& caller : kCallers) {
        HttpRequest request;
        if (caller.host) CHECK(request.add(Header::host, caller.host));
        if (caller.origin) CHECK(request.add(Header::origin, caller.origin));
        CAPTURE(std::string(caller.host ? caller.host : "(none)"));
        CAPTURE(std::string(caller.origin ? caller.origin : "(none)"));
        const auto refused = gate.refusal(request);
        CHECK(refused.has_value() != caller.comes_in);
        // A request without a Host is invalid; one with another host is refused.
        if (refused) CHECK(refused->status == (caller.host ? 403 : 400));
    }
}
